#include "codegen/lower/probe/arguments.h"

#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/probe/syscall_context.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/values/expressions.h"
#include "support/check.h"

namespace dscope {

V Arguments::raw_argument(uint32_t index, const Expr& at) {
  if (frame_.is_error) return index < 6 ? frame_.error_arguments[index] : b_.number(0);
  if (const DerivedProbe* probe = derived_probe(); probe != nullptr) {
    if (index >= probe->raw_arguments.size()) return b_.number(0);
    return with_derivation([&] { return expressions_.scalar(*probe->raw_arguments[index]); });
  }
  const std::vector<ArgSource>& sources = frame_.program->raw_args;
  return index < sources.size() ? argument_source(sources[index], at) : b_.number(0);
}

V Arguments::perf_pc(bool is_user) {
  V mode = b_.opaque(core_.load_context(architecture_.is_user_mode.offset, 8, false));
  V pc = b_.opaque(core_.load_context(architecture_.instruction_pointer, 8, false));
  V is_in_user = holds(architecture_.is_user_mode, mode);
  return is_user ? b_.ir.CreateSelect(is_in_user, pc, b_.number(0)) : b_.ir.CreateSelect(is_in_user, b_.number(0), pc);
}

// The time since the perf event's timer was due. The kernel's context of the event (struct bpf_perf_event_data_kern)
// leads to the timer, which still holds its expiry time.
V Arguments::lateness() {
  auto event = memory_.object_member("struct bpf_perf_event_data_kern.event"),
       due = memory_.object_member("struct perf_event.hw.hrtimer.node.expires");
  if (!event || !due) return b_.number(0);
  V copy = b_.shared_slot(8, "read");
  auto follow = [&](V address, const MachineNumber& offset) {
    b_.call(Helper::ProbeReadKernel, {copy, b_.number32(8), b_.add(address, offset)});
    return b_.load(copy, 8, false);
  };
  V expected = follow(follow(record_address(), *event), *due);
  return b_.ir.CreateSub(b_.call(Helper::KtimeGetNs, {}), expected);
}

// The context's address as a number that allows arithmetic: the verifier does not track its copy in memory.
V Arguments::record_address() {
  return core_.once(CachedValue::RecordAddress, [&] {
    V pointer = b_.shared_slot(8, "pointer");
    V copy = b_.shared_slot(8, "read");
    b_.ir.CreateAlignedStore(frame_.context, pointer, llvm::Align(8));
    b_.call(Helper::ProbeReadKernel, {copy, b_.number32(8), b_.to_number(pointer)});
    return b_.load(copy, 8, false);
  });
}

// The helper returns arguments as plain numbers, and 0 beyond the function's last argument. Loads from the context
// would give typed pointers, and tie the program to the number of arguments of one function.
V Arguments::function_argument(uint32_t index) {
  if (frame_.kind == BpfContext::Function) {
    V word = b_.shared_slot(8, "word");
    b_.zero(word, 8);
    b_.call(Helper::GetFuncArg, {frame_.context, b_.number32(index), word});
    return b_.load(word, 8, false);
  }
  const FunctionAbi& abi = architecture_.functions;
  if (index < abi.arguments.size()) return core_.load_context(abi.arguments[index], 8, false);
  V stack_pointer = core_.load_context(architecture_.stack_pointer, 8, false);
  V copy = b_.shared_slot(8, "read");
  uint64_t offset = abi.stack_arguments + 8 * (index - abi.arguments.size());
  b_.call(Helper::ProbeReadKernel, {copy, b_.number32(8), b_.ir.CreateAdd(stack_pointer, b_.number(offset))});
  return b_.load(copy, 8, false);
}

V Arguments::function_result() {
  if (frame_.kind != BpfContext::Function) return core_.load_context(architecture_.functions.result, 8, false);
  V word = b_.shared_slot(8, "word");
  b_.zero(word, 8);
  b_.call(Helper::GetFuncRet, {frame_.context, word});
  return b_.load(word, 8, false);
}

// ArgSource::offset, which may be negative.
MachineNumber Arguments::offset_in(const ArgSource& source) {
  return core_.machine_number(static_cast<uint64_t>(source.offset), &source.offset);
}

// The address of a UserMemory or StackWord argument.
V Arguments::user_address(const ArgSource& source) {
  bool is_on_stack = source.kind == ArgSourceKind::StackWord;
  auto word = [&](const MachineNumber& offset) { return core_.load_context(offset, 8, false); };
  V base =
      word(is_on_stack ? MachineNumber(architecture_.stack_pointer) : core_.machine_number(source.base, &source.base));
  V address = b_.add(base, offset_in(source));
  if (is_on_stack || source.scale == 0) return address;
  V index = word(core_.machine_number(source.index, &source.index));
  return b_.ir.CreateAdd(address, b_.ir.CreateMul(index, b_.number(uint64_t{source.scale})));
}

// The place of args[n] if it is an object passed by value: in memory, or a copy of the registers that hold it.
Place Arguments::argument_place(uint32_t index, const Expr& at) {
  const Probe* probe = state_.clause->probes.empty() ? nullptr : state_.clause->probes[0];
  auto size = static_cast<uint32_t>(meaning_.types->size_of(type_of(at)));
  static const ArgSource absent;
  const ArgSource& source = probe != nullptr && index < probe->args.size() ? probe->args[index].source : absent;
  if (source.kind == ArgSourceKind::UserMemory || source.kind == ArgSourceKind::StackWord)
    return {Space::User, user_address(source)};
  V copy = scratch_.temporary(round_up8(std::max(size, 16U)));
  V value = argument_source(source, at);
  b_.store(copy, value, 8);
  V rest = b_.number(0);
  if (source.kind == ArgSourceKind::RegisterPair)
    rest = core_.load_context(core_.machine_number(source.base, &source.base), 8, false);
  if (source.kind == ArgSourceKind::FunctionArg && size > 8) rest = function_argument(source.index + 1);
  b_.store(b_.at(copy, 8), rest, 8);
  return {Space::Storage, copy};
}

V Arguments::argument_source(const ArgSource& source, const Expr& at) {
  // The source's field of the context.
  auto field = [&](uint32_t size, bool is_signed) { return core_.load_context(offset_in(source), size, is_signed); };
  switch (source.kind) {
    case ArgSourceKind::Zero: return b_.number(0);
    case ArgSourceKind::CtxSlot: {
      V value = b_.opaque(core_.load_context(core_.machine_number(source.index * 8, &source.index), 8, false));
      return frame_.iterator != nullptr ? b_.narrow(b_.opaque_to_verifier(value), source.size, source.is_signed)
                                        : value;
    }
    case ArgSourceKind::SyscallArg: return syscalls_.argument(source.index);
    case ArgSourceKind::SyscallReturn: return syscalls_.returned_value();
    case ArgSourceKind::RecordField: return b_.opaque(field(source.size, source.is_signed));
    case ArgSourceKind::RecordAddress: return b_.add(record_address(), offset_in(source));
    case ArgSourceKind::RecordDataLoc: {
      V word = b_.opaque(field(4, false));
      return b_.ir.CreateAdd(record_address(), b_.ir.CreateAnd(word, b_.number(0xffff)));
    }
    case ArgSourceKind::RecordRelLoc: {
      V word = b_.opaque(field(4, false));
      MachineNumber offset = offset_in(source);
      offset.now += 4;
      V from = offset.index ? b_.ir.CreateAdd(b_.add(record_address(), offset), b_.number(4))
                            : b_.add(record_address(), offset);
      return b_.ir.CreateAdd(from, b_.ir.CreateAnd(word, b_.number(0xffff)));
    }
    case ArgSourceKind::KernelPc: return frame_.kind == BpfContext::PerfEvent ? perf_pc(false) : b_.number(0);
    case ArgSourceKind::UserPc: return frame_.kind == BpfContext::PerfEvent ? perf_pc(true) : b_.number(0);
    case ArgSourceKind::Lateness: return frame_.kind == BpfContext::PerfEvent ? lateness() : b_.number(0);
    case ArgSourceKind::EventAddress: return core_.load_context(architecture_.perf_event_address, 8, false);
    case ArgSourceKind::Constant: return b_.number(offset_in(source));
    case ArgSourceKind::Register: return field(source.size, source.is_signed);
    case ArgSourceKind::UserMemory:
    case ArgSourceKind::StackWord:
      return memory_.read_checked({Space::User, user_address(source)}, source.size, source.is_signed, at);
    case ArgSourceKind::RegisterPair: return field(8, false);
    case ArgSourceKind::VectorRegister: return b_.number(0);
    case ArgSourceKind::FunctionArg: return b_.narrow(function_argument(source.index), source.size, source.is_signed);
    case ArgSourceKind::FunctionResult: return b_.narrow(function_result(), source.size, source.is_signed);
    // The upper half of the cookie, whose lower half is the row.
    case ArgSourceKind::HookDetail:
      return b_.ir.CreateAShr(b_.call(Helper::GetAttachCookie, {frame_.context}), b_.number(32));
  }
  DS_UNREACHABLE();
}

// args[n] of a probe that is not derived.
V Arguments::typed_argument(uint32_t index, const Expr& at) {
  const Probe* probe = state_.clause->probes.empty() ? nullptr : state_.clause->probes[0];
  if (probe != nullptr && !probe->sites.empty()) {
    V value = raw_argument(index, at);
    // 32-bit words come sign-extended. Addresses need zero extension.
    TypeId type = type_of(at);
    bool is_narrow = meaning_.types->is_pointer(type) && meaning_.types->size_of(type) == 4;
    return is_narrow ? b_.narrow(value, 4, false) : value;
  }
  if (probe == nullptr || index >= probe->args.size()) return b_.number(0);
  return argument_source(probe->args[index].source, at);
}

}  // namespace dscope
