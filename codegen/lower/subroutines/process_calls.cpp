// Subroutines of the D libraries that read the memory of any process.
#include "codegen/lower/lowerers.h"

namespace dscope {

// __user_word_of(memory, address): a word of any process's memory; 0 if it is unreadable.
SubroutineResult emit_UserWordOf(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  V memory = call.scalar(0), address = call.scalar(1);
  if (!call.lower.core.compiled.memory_layout) return b.number(0);
  V slot = b.shared_slot(8, "read");
  b.ir.CreateStore(b.number(0), slot);
  auto addresses = call.lower.user_memory.kernel_addresses(memory, address);
  b.call_support("ds_copy_user_word", b.i64, {slot, b.number(8), addresses.first, addresses.second});
  return b.load(slot, 8, false);
}

// __psargs_of(memory, start, end, otherwise): the arguments of any process, or `otherwise` if they are unreadable.
SubroutineResult emit_PsArgsOf(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  StringValue otherwise = call.string(3);
  V data = call.result();
  V sizes = call.sizes(otherwise.capacity);
  if (!call.lower.core.compiled.memory_layout) {
    b.call_support("ds_strcpy", b.void_type, {data, otherwise.data, sizes});
    return call.text(data);
  }
  V memory = call.scalar(0), start = call.scalar(1), end = call.scalar(2);
  auto addresses = call.lower.user_memory.kernel_addresses(memory, start);
  V is_empty = b.ir.CreateICmpULE(end, start);
  V length = b.ir.CreateSelect(is_empty, b.number(0), b.ir.CreateSub(end, start));
  b.call_support("ds_other_arguments", b.void_type, {data, call.sizes(), length, addresses.first, addresses.second});
  auto* missing = b.block("missing");
  auto* after = b.block("after");
  b.ir.CreateCondBr(b.is_zero(b.load(data, 1, false)), missing, after);
  b.start(missing);
  b.call_support("ds_strcpy", b.void_type, {data, otherwise.data, sizes});
  b.ir.CreateBr(after);
  b.start(after);
  return call.text(data);
}

}  // namespace dscope
