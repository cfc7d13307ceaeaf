// Built-in variables and probe arguments: one small recipe each.
#include "codegen/lower/emitter.h"
#include "support/check.h"

namespace dscope {

namespace {

// struct pt_regs of x86-64: part of the user ABI (asm/ptrace.h).
constexpr uint32_t pt_regs_ax = 80, pt_regs_ip = 128, pt_regs_cs = 136, pt_regs_sp = 152;
// struct bpf_perf_event_data: the registers, the period, the address.
constexpr uint32_t perf_event_address = 176;
constexpr uint32_t function_argument_offsets[] = {112, 104, 96, 88, 72, 64};  // di si dx cx r8 r9

}  // namespace

V Emitter::once(const char* key, const std::function<V()>& emit) {
  auto found = cache_.find(key);
  if (found != cache_.end()) return found->second;
  V value = emit();
  cache_[key] = value;
  return value;
}

// What all clauses of a probe have in common, if it was needed before the first branch of a clause: the later ones come
// by there. Not for numbers: where predicates compare them, the verifier would go on from each result separately.
V Emitter::once_per_firing(const char* key, const std::function<V()>& emit) {
  V value = once(key, emit);
  if (b_.ir.GetInsertBlock() == state_.clause_start) state_.firing.emplace(key, value);
  return value;
}

V Emitter::cpu_number() {
  return once("cpu", [&] { return b_.call(Helper::GetSmpProcessorId, {}); });
}

V Emitter::probe_id() {
  if (frame_.constant_row) return b_.number(plan_.probes[*frame_.constant_row].id);
  V& table = literals_["probe ids"];
  if (table == nullptr) {
    std::vector<uint32_t> ids;
    for (const ProbePlan& probe : plan_.probes) ids.push_back(probe.id);
    table = b_.constant_words32(ids, "probe_ids");
  }
  return b_.load(b_.at(table, b_.ir.CreateShl(fired_row(), b_.number(2))), 4, false);
}

// The row that fired, for tables with an element for each. It was compared before, but verifiers before Linux 6.12 may
// have lost the result on the way here.
V Emitter::fired_row() {
  V row = b_.ir.CreateZExt(frame_.row, b_.i64);
  if (frame_.constant_row) return row;
  row = b_.guarded(row);
  row = b_.ir.CreateSelect(b_.ir.CreateICmpULT(row, b_.number(plan_.probes.size())), row, b_.number(0));
  return b_.guarded(row);  // lest it is multiplied first, and compared then
}

V Emitter::builtin(BuiltinVariable variable, const Expr& at) {
  V low = b_.number(0xffffffff);
  auto high_half = [&](V pair) { return b_.ir.CreateLShr(pair, b_.number(32)); };
  auto as_int = [&](V value) { return b_.narrow(value, 4, true); };
  switch (variable) {
    case BuiltinVariable::Pid: return as_int(high_half(shown_pid_tgid(at)));
    case BuiltinVariable::Tid: return as_int(shown_pid_tgid(at));
    case BuiltinVariable::Uid: return b_.ir.CreateAnd(uid_gid(at), low);
    case BuiltinVariable::Gid: return high_half(uid_gid(at));
    case BuiltinVariable::Ppid: return as_int(task_member({"real_parent", "tgid"}, at));
    case BuiltinVariable::Cpu: return b_.ir.CreateAnd(cpu_number(), low);
    case BuiltinVariable::Curthread: return task_number();
    case BuiltinVariable::Id: return probe_id();
    case BuiltinVariable::Epid:
      return b_.ir.CreateOr(b_.ir.CreateShl(probe_id(), b_.number(32)), b_.number(clause_plan_->number + 1));
    case BuiltinVariable::Timestamp: return once("timestamp", [&] { return b_.call(Helper::KtimeGetNs, {}); });
    case BuiltinVariable::Walltimestamp: {
      V clock = builtin(BuiltinVariable::Timestamp, at);
      return b_.ir.CreateAdd(clock, b_.load(b_.at(b_.map("ds_state"), offsetof(ds_state, boot_to_wall_ns)), 8, false));
    }
    case BuiltinVariable::Vtimestamp: return task_member({"se", "sum_exec_runtime"}, at);
    case BuiltinVariable::Errno:
      return frame_.program != nullptr && frame_.program->is_return ? error_number() : b_.number(0);
    case BuiltinVariable::Caller: return kernel_caller();
    case BuiltinVariable::Ucaller: return user_caller();
    case BuiltinVariable::Stackdepth: return kernel_depth();
    case BuiltinVariable::Ustackdepth: return user_depth();
    case BuiltinVariable::Ipl: return b_.number(0);
    case BuiltinVariable::Uregs: break;  // only with an index: user_register
    case BuiltinVariable::Execname:
    case BuiltinVariable::Probeprov:
    case BuiltinVariable::Probemod:
    case BuiltinVariable::Probefunc:
    case BuiltinVariable::Probename: return b_.to_number(string(at).data);
  }
  DS_UNREACHABLE();
}

V Emitter::user_register(uint32_t index, const Expr& at) {
  if (index < first_thread_register) return syscall_register(index * 8);
  return task_member(user_register_path(index), at);
}

// A member of the current task by its path, with offsets from the running kernel's BTF as curthread->a->b has them.
V Emitter::task_member(const std::vector<const char*>& path, const Expr& at) {
  uint64_t offset = 0;
  V base = current_task();
  const std::vector<TaskMember>& members = compiled_.task_members;
  std::string so_far;
  for (const char* name : path) {
    so_far += so_far.empty() ? name : std::string(".") + name;
    const TaskMember* member = nullptr;
    for (const TaskMember& candidate : members)
      if (candidate.path == so_far) member = &candidate;
    if (member == nullptr) return b_.number(0);
    offset += member->offset;
    if (!member->is_pointer && member->size == 0) continue;  // an embedded struct: its members follow
    V value = options_.trusted_loads
                  ? b_.load_kernel(b_.at(b_.to_pointer(base), offset), member->size, false)
                  : read_checked({Space::Kernel, b_.ir.CreateAdd(b_.to_number(base), b_.number(offset))}, member->size,
                                 false, at);
    if (!member->is_pointer) return value;
    base = value;
    offset = 0;
  }
  return b_.to_number(base);
}

// ---------------------------------------------------------------- arguments

V Emitter::raw_argument(uint32_t index, const Expr& at) {
  if (frame_.is_error) return index < 6 ? frame_.error_arguments[index] : b_.number(0);
  if (const DerivedProbe* probe = derived_probe(); probe != nullptr) {
    if (index >= probe->raw_arguments.size()) return b_.number(0);
    return as_derived([&] { return scalar(*probe->raw_arguments[index]); });
  }
  const std::vector<ArgSource>& sources = frame_.program->raw_args;
  return index < sources.size() ? argument_source(sources[index], at) : b_.number(0);
}

// struct bpf_perf_event_data begins with the interrupted registers.
// A member of the program's argument. The verifier wants the offset in the instruction that loads it: in long functions
// LLVM would keep the address for several loads.
V Emitter::context_at(uint64_t offset) {
  return b_.at(state_.is_complex ? b_.guarded(frame_.context) : frame_.context, offset);
}

V Emitter::perf_pc(bool is_user) {
  V code_segment = b_.load_kernel(context_at(pt_regs_cs), 8, false);
  V pc = b_.load_kernel(context_at(pt_regs_ip), 8, false);
  V is_in_user = b_.ir.CreateICmpEQ(b_.ir.CreateAnd(code_segment, b_.number(3)), b_.number(3));
  return is_user ? b_.ir.CreateSelect(is_in_user, pc, b_.number(0)) : b_.ir.CreateSelect(is_in_user, b_.number(0), pc);
}

// The kernel's own context of a perf event (struct bpf_perf_event_data_kern) leads to its timer, which still says for
// when it was set.
V Emitter::lateness() {
  auto event = object_member("struct bpf_perf_event_data_kern.event"),
       due = object_member("struct perf_event.hw.hrtimer.node.expires");
  if (!event || !due) return b_.number(0);
  V copy = b_.shared_slot(8, "read");
  auto follow = [&](V address, uint64_t offset) {
    b_.call(Helper::ProbeReadKernel, {copy, b_.number32(8), b_.ir.CreateAdd(address, b_.number(offset))});
    return b_.load(copy, 8, false);
  };
  V expected = follow(follow(record_address(), *event), *due);
  return b_.ir.CreateSub(b_.call(Helper::KtimeGetNs, {}), expected);
}

// The context's address as a number to calculate with: copied from the stack, where the verifier loses its kind.
V Emitter::record_address() {
  return once("record address", [&] {
    V pointer = b_.shared_slot(8, "pointer");
    V copy = b_.shared_slot(8, "read");
    b_.ir.CreateAlignedStore(frame_.context, pointer, llvm::Align(8));
    b_.call(Helper::ProbeReadKernel, {copy, b_.number32(8), b_.to_number(pointer)});
    return b_.load(copy, 8, false);
  });
}

// Helpers hand the words over as numbers; loads from the context would give pointers that the verifier watches, and
// tie the program to one function's number of arguments. Beyond that number they read 0.
V Emitter::function_argument(uint32_t index) {
  if (frame_.kind == BpfContext::Function) {
    V word = b_.shared_slot(8, "word");
    b_.zero(word, 8);
    b_.call(Helper::GetFuncArg, {frame_.context, b_.number32(index), word});
    return b_.load(word, 8, false);
  }
  if (index < std::size(function_argument_offsets))
    return b_.load(context_at(function_argument_offsets[index]), 8, false);
  // Above the return address, where the caller left them.
  V place = b_.load(context_at(pt_regs_sp), 8, false);
  V copy = b_.shared_slot(8, "read");
  uint64_t offset = 8 * (index - std::size(function_argument_offsets) + 1);
  b_.call(Helper::ProbeReadKernel, {copy, b_.number32(8), b_.ir.CreateAdd(place, b_.number(offset))});
  return b_.load(copy, 8, false);
}

V Emitter::function_result() {
  if (frame_.kind != BpfContext::Function) return b_.load(context_at(pt_regs_ax), 8, false);
  V word = b_.shared_slot(8, "word");
  b_.zero(word, 8);
  b_.call(Helper::GetFuncRet, {frame_.context, word});
  return b_.load(word, 8, false);
}

// Where UserMemory and StackWord are.
V Emitter::user_address(const ArgSource& source) {
  bool is_on_stack = source.kind == ArgSourceKind::StackWord;
  auto word = [&](uint32_t offset) { return b_.load(context_at(offset), 8, false); };
  V address =
      b_.ir.CreateAdd(word(is_on_stack ? pt_regs_sp : source.base), b_.number(static_cast<uint64_t>(source.offset)));
  if (is_on_stack || source.scale == 0) return address;
  return b_.ir.CreateAdd(address, b_.ir.CreateMul(word(source.index), b_.number(uint64_t{source.scale})));
}

// args[n], an object that is passed by value: in memory, or in registers, of which there is a copy then.
Place Emitter::argument_place(uint32_t index, const Expr& at) {
  const Probe* probe = clause_->probes.empty() ? nullptr : clause_->probes[0];
  auto size = static_cast<uint32_t>(meaning_.types->size_of(type_of(at)));
  ArgSource source = probe != nullptr && index < probe->args.size() ? probe->args[index].source : ArgSource{};
  if (source.kind == ArgSourceKind::UserMemory || source.kind == ArgSourceKind::StackWord)
    return {Space::User, user_address(source)};
  V copy = temporary(round_up8(std::max(size, 16U)));
  V value = argument_source(source, at);
  b_.store(copy, value, 8);
  V rest = b_.number(0);
  if (source.kind == ArgSourceKind::RegisterPair) rest = b_.load(context_at(source.base), 8, false);
  if (source.kind == ArgSourceKind::FunctionArg && size > 8) rest = function_argument(source.index + 1);
  b_.store(b_.at(copy, 8), rest, 8);
  return {Space::Storage, copy};
}

V Emitter::argument_source(const ArgSource& source, const Expr& at) {
  auto field = [&](int64_t offset) { return context_at(static_cast<uint64_t>(offset)); };
  switch (source.kind) {
    case ArgSourceKind::Zero: return b_.number(0);
    case ArgSourceKind::CtxSlot: {
      V value = b_.load_kernel(context_at(source.index * 8), 8, false);
      return frame_.iterator != nullptr ? b_.narrow(opaque_to_verifier(value), source.size, source.is_signed) : value;
    }
    case ArgSourceKind::SyscallArg: return syscall_argument(source.index);
    case ArgSourceKind::SyscallReturn: return returned_value();
    case ArgSourceKind::RecordField: return b_.load_kernel(field(source.offset), source.size, source.is_signed);
    case ArgSourceKind::RecordAddress:
      return b_.ir.CreateAdd(record_address(), b_.number(static_cast<uint64_t>(source.offset)));
    case ArgSourceKind::RecordDataLoc: {
      V word = b_.load_kernel(field(source.offset), 4, false);
      return b_.ir.CreateAdd(record_address(), b_.ir.CreateAnd(word, b_.number(0xffff)));
    }
    case ArgSourceKind::RecordRelLoc: {
      V word = b_.load_kernel(field(source.offset), 4, false);
      V from = b_.ir.CreateAdd(record_address(), b_.number(static_cast<uint64_t>(source.offset) + 4));
      return b_.ir.CreateAdd(from, b_.ir.CreateAnd(word, b_.number(0xffff)));
    }
    case ArgSourceKind::KernelPc: return frame_.kind == BpfContext::PerfEvent ? perf_pc(false) : b_.number(0);
    case ArgSourceKind::UserPc: return frame_.kind == BpfContext::PerfEvent ? perf_pc(true) : b_.number(0);
    case ArgSourceKind::Lateness: return frame_.kind == BpfContext::PerfEvent ? lateness() : b_.number(0);
    case ArgSourceKind::EventAddress: return b_.load(field(perf_event_address), 8, false);
    case ArgSourceKind::Constant: return b_.number(static_cast<uint64_t>(source.offset));
    case ArgSourceKind::Register: return b_.load(field(source.offset), source.size, source.is_signed);
    case ArgSourceKind::UserMemory:
    case ArgSourceKind::StackWord:
      return read_checked({Space::User, user_address(source)}, source.size, source.is_signed, at);
    case ArgSourceKind::RegisterPair: return b_.load(field(source.offset), 8, false);
    case ArgSourceKind::VectorRegister: return b_.number(0);
    case ArgSourceKind::FunctionArg: return b_.narrow(function_argument(source.index), source.size, source.is_signed);
    case ArgSourceKind::FunctionResult: return b_.narrow(function_result(), source.size, source.is_signed);
    // The upper half of the cookie, whose lower half is the row.
    case ArgSourceKind::HookDetail:
      return b_.ir.CreateAShr(b_.call(Helper::GetAttachCookie, {frame_.context}), b_.number(32));
  }
  DS_UNREACHABLE();
}

}  // namespace dscope
