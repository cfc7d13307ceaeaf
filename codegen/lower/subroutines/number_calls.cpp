// Subroutines that return a number.
#include <algorithm>

#include "codegen/lower/lowerers.h"
#include "support/check.h"

namespace dscope {

namespace {

V swap_bytes(const SubroutineCall& call, uint32_t bits) {
  auto& ir = call.builder().ir;
  V value = ir.CreateTrunc(call.scalar(0), ir.getIntNTy(bits));
  return ir.CreateZExt(ir.CreateUnaryIntrinsic(llvm::Intrinsic::bswap, value), call.builder().i64);
}

V search(const SubroutineCall& call, const char* function, uint64_t default_start) {
  BpfBuilder& b = call.builder();
  StringValue text = call.string(0);
  StringValue needle = call.string(1);
  V start = call.argument_count() > 2 ? call.int_argument(2) : b.number(default_start);
  V sizes = b.number(pack_sizes(0, 0, text.capacity, needle.capacity));
  return b.call_support(function, b.i64, {text.data, needle.data, sizes, start});
}

// A copy of argument `index` with its letters in lower case.
StringValue lower_case_argument(const SubroutineCall& call, size_t index) {
  BpfBuilder& b = call.builder();
  StringValue text = call.string(index);
  V copy = call.lower.scratch.temporary(text.capacity);
  uint64_t characters = std::min<uint64_t>(text.capacity - 1, call.strsize());
  b.call_support("ds_tolower", b.void_type,
                 {copy, text.data, b.number(pack_sizes(text.capacity, characters, text.capacity, 0))});
  return {copy, text.capacity};
}

}  // namespace

SubroutineResult emit_Strlen(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  StringValue text = call.string(0);
  return b.call_support("ds_strlen", b.i64, {text.data, b.number(text.capacity)});
}

SubroutineResult emit_Strcasecmp(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  StringValue left = lower_case_argument(call, 0);
  StringValue right = lower_case_argument(call, 1);
  return b.call_support("ds_strcmp", b.i64, {left.data, b.number(left.capacity), right.data, b.number(right.capacity)});
}

SubroutineResult emit_Index(const SubroutineCall& call) { return search(call, "ds_index", 0); }
SubroutineResult emit_Rindex(const SubroutineCall& call) { return search(call, "ds_rindex", DS_FROM_END); }

SubroutineResult emit_Rand(const SubroutineCall& call) { return call.builder().call(Helper::GetPrandomU32, {}); }

SubroutineResult emit_Htons(const SubroutineCall& call) { return swap_bytes(call, 16); }
SubroutineResult emit_Ntohs(const SubroutineCall& call) { return swap_bytes(call, 16); }
SubroutineResult emit_Htonl(const SubroutineCall& call) { return swap_bytes(call, 32); }
SubroutineResult emit_Ntohl(const SubroutineCall& call) { return swap_bytes(call, 32); }
SubroutineResult emit_Htonll(const SubroutineCall& call) { return swap_bytes(call, 64); }
SubroutineResult emit_Ntohll(const SubroutineCall& call) { return swap_bytes(call, 64); }

// Device numbers in the kernel's internal encoding: 12 bits major, 20 bits minor.
SubroutineResult emit_Getmajor(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  TypeId type = call.info(call.expr).type;
  return b.ir.CreateLShr(call.lower.expressions.narrow_to(type, call.scalar(0)), b.number(20));
}

SubroutineResult emit_Getminor(const SubroutineCall& call) {
  return call.builder().ir.CreateAnd(call.scalar(0), call.builder().number(0xfffff));
}

// Linux has one kind of mutex. The pointer is still evaluated, because that may fault.
SubroutineResult emit_MutexTypeAdaptive(const SubroutineCall& call) {
  call.lower.places.place_of_pointer(call.argument(0), call.expr);
  return call.builder().number(1);
}

SubroutineResult emit_MutexTypeSpin(const SubroutineCall& call) {
  call.lower.places.place_of_pointer(call.argument(0), call.expr);
  return call.builder().number(0);
}

SubroutineResult emit_Progenyof(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  bool is_known = call.lower.memory.object_member("struct task_struct.real_parent") &&
                  call.lower.memory.object_member("struct task_struct.tgid");
  call.lower.faults.fault_if(b.ir.getInt1(!is_known), DS_FAULT_ILLOP, b.number(0), call.expr);
  V pid = call.int_argument(0);
  return call.lower.task.is_progeny(call.lower.task.task_number(), pid);
}

SubroutineResult emit_IsCurrent(const SubroutineCall&) { DS_UNREACHABLE(); }  // a constant

SubroutineResult emit_HasUserMemory(const SubroutineCall& call) {
  return call.builder().number(call.lower.task.has_other_subject() ? 0 : 1);
}

// __tree_next(node, links): the node behind one of a sorted tree of C++; `links` as in held_types.def.
SubroutineResult emit_TreeNext(const SubroutineCall& call) {
  V node = call.scalar(0);
  return call.builder().call_support("ds_tree_next", call.builder().i64, {node, call.scalar(1)});
}

SubroutineResult emit_IpPayload(const SubroutineCall& call) {
  return call.builder().call_support("ds_ip_payload", call.builder().i64, {call.scalar(0)});
}

SubroutineResult emit_IsLocalAddress(const SubroutineCall& call) {
  V table = call.lower.core.machine_table({.kind = MachineTable::RouteLayout}, "route_layout");
  V net = call.scalar(0);
  return call.builder().call_support("ds_is_local", call.builder().i64, {net, call.scalar(1), table});
}

SubroutineResult emit_Registers(const SubroutineCall& call) {
  return call.builder().opaque_to_verifier(call.lower.syscalls.saved_registers());
}

SubroutineResult emit_CpuInfo(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  const CompiledPlan& compiled = call.lower.core.compiled;
  V row = b.ir.CreateAdd(call.int_argument(0), b.number(1));
  MachineNumber rows = call.lower.core.machine_number(compiled.cpu_table.size() / std::max(1U, compiled.cpu_table_row),
                                                      &compiled.cpu_table);
  row = call.lower.faults.bounded(row, rows, DS_FAULT_BADINDEX, call.expr);
  V table = call.lower.core.machine_table({.kind = MachineTable::Cpus}, "cpu_table");
  // A plain number, because scripts may compute with it.
  return b.as_untracked_scalar(b.at(table, b.ir.CreateMul(row, b.number(compiled.cpu_table_row))));
}

SubroutineResult emit_Speculation(const SubroutineCall& call) { return call.lower.speculation.allocate_id(); }

}  // namespace dscope
