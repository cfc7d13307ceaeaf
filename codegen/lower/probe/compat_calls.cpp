// System calls of 32-bit programs, which use other numbers and registers (CompatCalls in arch/architecture.h). They
// fire the probe of the equivalent 64-bit call. Calls without an equivalent get numbers that 64-bit programs cannot use
// (HookSyscall::first_compat_number).
#include "codegen/lower/probe/syscall_context.h"

#include <algorithm>
#include <map>

#include "codegen/lower/probe/task_context.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

constexpr uint16_t no_number = 0xffff;  // not the number of any call
// The 64-bit numbers by 32-bit number. From `first_common` on, both tables use the same numbers.
std::vector<uint16_t> numbers_for_64_bits(const CompatCalls& compat) {
  constexpr uint16_t table_size = 512;  // a power of two: indices are masked
  std::vector<uint16_t> numbers(table_size);
  for (uint16_t i = 0; i < table_size; ++i)
    numbers[i] = i < compat.first_common ? static_cast<uint16_t>(HookSyscall::first_compat_number + i) : i;
  for (const CompatCall& call : compat.calls) numbers[call.number] = call.number_for_64_bits;
  numbers.back() = no_number;  // for all numbers beyond the table
  return numbers;
}
// Returns the register of an argument if it differs from the default register, else empty.
std::string_view other_register(const CompatCalls& compat, const CompatCall& call, uint32_t index) {
  if (call.registers.empty()) return {};
  std::vector<std::string_view> registers = words_of(call.registers);
  if (index >= registers.size() || registers[index] == words_of(compat.argument_names)[index]) return {};
  return registers[index];
}

}  // namespace

V SyscallContext::is_compat_call() {
  const CompatCalls* compat = architecture_.compat_calls;
  for (const TaskMember& member : compiled_.task_members)
    if (compat != nullptr && member.path == compat->task_member)
      return core_.once(CachedValue::IsCompatCall, [&] {
        V task = task_.current_task();
        MachineNumber offset = core_.machine_number(member.offset, &member);
        V status = nullptr;
        if (options_.trusted_loads) {
          status = b_.load_kernel(task, offset, 4, false);
        } else {
          V copy = b_.shared_slot(8, "read");
          V address = b_.add(b_.to_number(task), offset);
          b_.zero(copy, 8);
          b_.call(Helper::ProbeReadKernel, {copy, b_.number32(4), address});
          status = b_.load(copy, 4, false);
        }
        return b_.is_nonzero(b_.ir.CreateAnd(status, b_.number(compat->bits)));
      });
  return b_.ir.getFalse();
}

V SyscallContext::number_for_64_bits(V number) {
  V is_compat = is_compat_call();
  if (llvm::isa<llvm::Constant>(is_compat)) return number;
  const std::vector<HookSyscall>& calls = frame_.program->calls;
  auto is_of_32_bits = [](const HookSyscall& call) { return call.number >= HookSyscall::first_compat_number; };
  V own = number;
  if (std::ranges::any_of(calls, is_of_32_bits)) {
    V is_possible = b_.ir.CreateICmpULT(number, b_.number(HookSyscall::first_compat_number));
    own = b_.ir.CreateSelect(is_possible, number, b_.number(no_number));
  }
  std::vector<uint16_t> numbers = numbers_for_64_bits(*architecture_.compat_calls);
  V last = b_.number(numbers.size() - 1);
  std::string table_name = fmt::format("{}_calls", architecture_.compat_calls->name);
  return b_.replace_if(is_compat, own, "call_of_32_bits", [&] {
    V is_inside = b_.ir.CreateICmpULT(number, b_.number(numbers.size()));
    V index = b_.ir.CreateAnd(b_.pin(b_.ir.CreateSelect(is_inside, number, last)), last);
    return b_.load(b_.at(b_.constant_words16(numbers, table_name.c_str()), b_.ir.CreateShl(index, b_.number(1))), 2,
                   false);
  });
}

// Pins the load: for a choice between two registers, the back end would select the address and emit one load.
V SyscallContext::compat_register(std::string_view name) {
  std::vector<std::string_view> names = words_of(architecture_.compat_calls->argument_names);
  auto index = static_cast<size_t>(std::ranges::find(names, name) - names.begin());
  return b_.ir.CreateAnd(b_.pin(register_at(architecture_.compat_calls->arguments[index])), b_.number(0xffffffff));
}

// Returns `value` in a 64-bit call and the argument in a 32-bit call. Compares the call's number only with those calls
// that pass the argument in another register and can fire in this program.
V SyscallContext::compat_argument_or(V value, uint32_t index) {
  V is_compat = is_compat_call();
  if (llvm::isa<llvm::Constant>(is_compat)) return value;
  std::map<std::string_view, std::vector<uint16_t>> other_registers;  // call numbers by register
  const CompatCalls& compat = *architecture_.compat_calls;
  for (const CompatCall& call : compat.calls) {
    auto is_same_call = [&](const HookSyscall& hook) { return hook.number == call.number_for_64_bits; };
    bool may_fire = core_.has_many_clauses() || std::ranges::any_of(frame_.program->calls, is_same_call);
    std::string_view name = other_register(compat, call, index);
    if (may_fire && !name.empty()) other_registers[name].push_back(call.number);
  }
  std::string_view default_register = words_of(compat.argument_names)[index];
  if (other_registers.empty()) return b_.ir.CreateSelect(is_compat, compat_register(default_register), value);
  return b_.replace_if(is_compat, value, fmt::format("{}_argument", compat.name).c_str(), [&] {
    V argument = compat_register(default_register);
    V number = saved_number();
    for (const auto& [name, numbers] : other_registers) {
      V uses_register = b_.ir.getFalse();
      for (uint16_t each : numbers)
        uses_register = b_.ir.CreateOr(uses_register, b_.ir.CreateICmpEQ(number, b_.number(each)));
      argument = b_.ir.CreateSelect(uses_register, compat_value(name), argument);
    }
    return argument;
  });
}

// The value of a register, of a pair of registers (high:low), of a sign-extended register (sign:low), or of a number of
// pages in bytes (pages:low).
V SyscallContext::compat_value(std::string_view name) {
  constexpr uint64_t half = 32, page_bits = 12;
  size_t colon = name.find(':');
  if (colon == std::string_view::npos) return compat_register(name);
  std::string_view high = name.substr(0, colon);
  V low = compat_register(name.substr(colon + 1));
  if (high == "sign") return b_.ir.CreateAShr(b_.ir.CreateShl(low, b_.number(half)), b_.number(half));
  if (high == "pages") return b_.ir.CreateShl(low, b_.number(page_bits));
  return b_.ir.CreateOr(low, b_.ir.CreateShl(compat_register(high), b_.number(half)));
}

}  // namespace dscope
