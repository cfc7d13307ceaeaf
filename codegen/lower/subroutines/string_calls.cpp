// Subroutines that return a string.
#include <algorithm>
#include <bit>

#include "codegen/lower/lowerers.h"

namespace dscope {

namespace {

// Calls a support function that maps a string to a string.
StringValue convert_string(const SubroutineCall& call, const char* function) {
  BpfBuilder& b = call.builder();
  StringValue text = call.string(0);
  V data = call.result();
  b.call_support(function, b.void_type, {data, text.data, call.sizes(text.capacity)});
  return call.text(data);
}

// The part of `text` from an offset, or NULL if the offset is negative (not found).
StringValue part_from(const SubroutineCall& call, const StringValue& text, V offset) {
  BpfBuilder& b = call.builder();
  V data = call.result();
  b.call_support("ds_suffix", b.void_type, {data, text.data, call.sizes(text.capacity), offset});
  return call.text(data, call.lower.core.as_unknown_flag(b.ir.CreateICmpSLT(offset, b.number(0))));
}

StringValue find_character(const SubroutineCall& call, const char* function) {
  BpfBuilder& b = call.builder();
  StringValue text = call.string(0);
  V character = call.scalar(1);
  return part_from(call, text, b.call_support(function, b.i64, {text.data, b.number(text.capacity), character}));
}

}  // namespace

SubroutineResult emit_Basename(const SubroutineCall& call) { return convert_string(call, "ds_basename"); }
SubroutineResult emit_Dirname(const SubroutineCall& call) { return convert_string(call, "ds_dirname"); }
SubroutineResult emit_Toupper(const SubroutineCall& call) { return convert_string(call, "ds_toupper"); }
SubroutineResult emit_Tolower(const SubroutineCall& call) { return convert_string(call, "ds_tolower"); }

SubroutineResult emit_Strjoin(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  StringValue left = call.string(0);
  StringValue right = call.string(1);
  V data = call.result();
  V sizes = call.sizes(left.capacity, right.capacity);
  b.call_support("ds_strjoin", b.void_type, {data, left.data, right.data, sizes});
  return call.text(data);
}

SubroutineResult emit_Substr(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  StringValue text = call.string(0);
  V index = call.int_argument(1);
  V count = call.argument_count() > 2 ? call.int_argument(2) : b.number(call.strsize());
  V data = call.result();
  b.call_support("ds_substr", b.void_type, {data, text.data, call.sizes(text.capacity), index, count});
  return call.text(data);
}

SubroutineResult emit_Strchr(const SubroutineCall& call) { return find_character(call, "ds_strchr"); }
SubroutineResult emit_Strrchr(const SubroutineCall& call) { return find_character(call, "ds_strrchr"); }

SubroutineResult emit_Strstr(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  StringValue text = call.string(0);
  StringValue needle = call.string(1);
  V sizes = b.number(pack_sizes(0, 0, text.capacity, needle.capacity));
  return part_from(call, text, b.call_support("ds_strstr", b.i64, {text.data, needle.data, sizes}));
}

SubroutineResult emit_BlockDriver(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  V table = call.lower.core.machine_table({.kind = MachineTable::BlockDrivers}, "block_drivers");
  V major = call.lower.faults.bounded(call.int_argument(0), block_driver_rows, DS_FAULT_BADINDEX, call.expr);
  return StringValue{b.at(table, b.ir.CreateMul(major, b.number(block_driver_row()))), block_driver_row(), nullptr};
}

SubroutineResult emit_PsArgs(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  V start = call.scalar(0), end = call.scalar(1);
  V data = call.result();
  b.call_support("ds_arguments", b.void_type, {data, call.sizes(), start, end});
  return call.text(data);
}

// Like copyinstr(), but "" if the address cannot be read: a recording must not lose the event. A 1 behind the NUL tells
// such a text from an empty one (EventRecorder), so that copyinstr() faults in a replay, too.
SubroutineResult emit_UserText(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  V data = call.result();
  b.zero(data, call.capacity());
  V read = call.lower.user_memory.read_text(data, call.bound(), b.number(call.bound()), call.scalar(0));
  V mark = b.at(data, 1);
  V is_unread = b.ir.CreateZExt(b.ir.CreateICmpSLT(read, b.number(0)), b.i64);
  b.store(mark, b.ir.CreateOr(b.load(mark, 1, false), is_unread), 1);
  return call.text(data);
}

SubroutineResult emit_Copyinstr(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  V address = call.scalar(0);
  if (call.argument_count() < 2 || call.info(call.argument(1)).constant)
    return call.lower.string_memory.copy_from({Space::User, address}, call.bound(), call.expr);
  // The length is known only at run time. Limits it to the bound.
  V requested = call.scalar(1);
  if (call.lower.core.meaning.dialect.has_copyinstr_size_without_terminator())
    requested = b.ir.CreateAdd(requested, b.number(1));
  V data = call.result();
  b.zero(data, call.capacity());
  V bound = b.number(call.bound());
  V length = b.ir.CreateSelect(b.ir.CreateICmpUGT(requested, bound), bound, requested);
  length = b.ir.CreateAnd(length, b.number(std::bit_ceil(call.bound() + 1) - 1));
  V read = call.lower.user_memory.read_text(data, call.bound(), length, address);
  call.lower.faults.fault_if(b.ir.CreateICmpSLT(read, b.number(0)), DS_FAULT_BADADDR, address, call.expr);
  return call.text(data);
}

}  // namespace dscope
