#include "codegen/lower/subroutines/process_calls.h"

#include "codegen/lower/lowerers.h"

namespace dscope {

// __user_word_of(memory, address): a word of any process's memory; 0 if it is unreadable.
V ProcessCalls::user_word_of(const Call& call) {
  V memory = expressions_.scalar(*call.arguments[0]), address = expressions_.scalar(*call.arguments[1]);
  if (!compiled_.memory_layout) return b_.number(0);
  V slot = b_.shared_slot(8, "read");
  b_.ir.CreateStore(b_.number(0), slot);
  auto addresses = user_memory_.kernel_addresses(memory, address);
  b_.call_support("ds_copy_user_word", b_.i64, {slot, b_.number(8), addresses.first, addresses.second});
  return b_.load(slot, 8, false);
}

// __psargs_of(memory, start, end, otherwise): the arguments of any process, or `otherwise` if they are unreadable.
StringValue ProcessCalls::arguments_of(const Expr& expr, const Call& call) {
  StringValue otherwise = strings_.required_string(*call.arguments[3]);
  uint32_t capacity = round_up8(bound(expr));
  V data = scratch_.temporary(capacity);
  V sizes = text_calls_.result_sizes(expr, otherwise.capacity);
  if (!compiled_.memory_layout) {
    b_.call_support("ds_strcpy", b_.void_type, {data, otherwise.data, sizes});
    return {data, capacity, nullptr};
  }
  V memory = expressions_.scalar(*call.arguments[0]), start = expressions_.scalar(*call.arguments[1]),
    end = expressions_.scalar(*call.arguments[2]);
  auto addresses = user_memory_.kernel_addresses(memory, start);
  V is_empty = b_.ir.CreateICmpULE(end, start);
  V length = b_.ir.CreateSelect(is_empty, b_.number(0), b_.ir.CreateSub(end, start));
  b_.call_support("ds_other_arguments", b_.void_type,
                  {data, text_calls_.result_sizes(expr), length, addresses.first, addresses.second});
  auto* missing = b_.block("missing");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(b_.is_zero(b_.load(data, 1, false)), missing, after);
  b_.start(missing);
  b_.call_support("ds_strcpy", b_.void_type, {data, otherwise.data, sizes});
  b_.ir.CreateBr(after);
  b_.start(after);
  return {data, capacity, nullptr};
}

SubroutineResult emit_PsArgsOf(const SubroutineCall& call) {
  return call.lower.process_calls.arguments_of(call.expr, call.form);
}

SubroutineResult emit_UserWordOf(const SubroutineCall& call) {
  return call.lower.process_calls.user_word_of(call.form);
}

}  // namespace dscope
