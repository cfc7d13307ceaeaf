// System calls of 32-bit (i386) programs, which use other numbers and registers. They fire the probe of the equivalent
// 64-bit call. Calls without an equivalent get numbers that 64-bit programs cannot use
// (HookSyscall::first_compat_number).
#include "codegen/lower/probe/syscall_context.h"

#include <algorithm>
#include <map>

#include "codegen/lower/probe/pt_regs.h"
#include "codegen/lower/probe/task_context.h"
#include "support/word_list.h"

namespace dscope {

namespace {

constexpr std::string_view argument_registers = "bx cx dx si di bp";
struct I386Call {
  uint16_t number, number_for_64_bits;
  std::string_view registers;
};
constexpr I386Call i386_calls[] = {
#define DS_I386_CALL(number, number_for_64_bits, name, registers) {number, number_for_64_bits, registers},
#include "contract/i386_calls.inc"
#undef DS_I386_CALL
};
constexpr uint16_t no_number = 0xffff;  // not the number of any call
// The 64-bit numbers by i386 number. From `first_common` on, both tables use the same numbers.
std::vector<uint16_t> numbers_for_64_bits() {
  constexpr uint16_t table_size = 512;  // a power of two: indices are masked
  constexpr uint16_t first_common = 424;
  std::vector<uint16_t> numbers(table_size);
  for (uint16_t i = 0; i < table_size; ++i)
    numbers[i] = i < first_common ? static_cast<uint16_t>(HookSyscall::first_compat_number + i) : i;
  for (const I386Call& call : i386_calls) numbers[call.number] = call.number_for_64_bits;
  numbers.back() = no_number;  // for all numbers beyond the table
  return numbers;
}
// Returns the register of an argument if it differs from the default register, else empty.
std::string_view other_register(const I386Call& call, uint32_t index) {
  if (call.registers.empty()) return {};
  std::vector<std::string_view> registers = words_of(call.registers);
  if (index >= registers.size() || registers[index] == words_of(argument_registers)[index]) return {};
  return registers[index];
}

}  // namespace

// For the duration of a call through the 32-bit gate, the kernel sets TS_COMPAT in the thread's status.
V SyscallContext::is_i386_call() {
  constexpr uint64_t ts_compat = 2;
  for (const TaskMember& member : compiled_.task_members)
    if (member.path == task_path::status)
      return core_.once(CachedValue::IsI386Call, [&] {
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
        return b_.is_nonzero(b_.ir.CreateAnd(status, b_.number(ts_compat)));
      });
  return b_.ir.getFalse();
}

V SyscallContext::number_for_64_bits(V number) {
  V is_i386 = is_i386_call();
  if (llvm::isa<llvm::Constant>(is_i386)) return number;
  const std::vector<HookSyscall>& calls = frame_.program->calls;
  auto is_of_32_bits = [](const HookSyscall& call) { return call.number >= HookSyscall::first_compat_number; };
  V own = number;
  if (std::ranges::any_of(calls, is_of_32_bits)) {
    V is_possible = b_.ir.CreateICmpULT(number, b_.number(HookSyscall::first_compat_number));
    own = b_.ir.CreateSelect(is_possible, number, b_.number(no_number));
  }
  std::vector<uint16_t> numbers = numbers_for_64_bits();
  V last = b_.number(numbers.size() - 1);
  return b_.replace_if(is_i386, own, "call_of_32_bits", [&] {
    V is_inside = b_.ir.CreateICmpULT(number, b_.number(numbers.size()));
    V index = b_.ir.CreateAnd(b_.pin(b_.ir.CreateSelect(is_inside, number, last)), last);
    return b_.load(b_.at(b_.constant_words16(numbers, "i386_calls"), b_.ir.CreateShl(index, b_.number(1))), 2, false);
  });
}

// Pins the load: for a choice between two registers, the back end would select the address and emit one load.
V SyscallContext::i386_register(std::string_view name) {
  std::vector<std::string_view> names = words_of(argument_registers);
  auto index = static_cast<size_t>(std::ranges::find(names, name) - names.begin());
  return b_.ir.CreateAnd(b_.pin(register_at(i386_argument_offsets[index])), b_.number(0xffffffff));
}

// Returns `value` in a 64-bit call and the argument in an i386 call. Compares the call's number only with those calls
// that pass the argument in another register and can fire in this program.
V SyscallContext::i386_argument_or(V value, uint32_t index) {
  V is_i386 = is_i386_call();
  if (llvm::isa<llvm::Constant>(is_i386)) return value;
  std::map<std::string_view, std::vector<uint16_t>> other_registers;  // call numbers by register
  for (const I386Call& call : i386_calls) {
    auto is_same_call = [&](const HookSyscall& hook) { return hook.number == call.number_for_64_bits; };
    bool may_fire = core_.has_many_clauses() || std::ranges::any_of(frame_.program->calls, is_same_call);
    std::string_view name = other_register(call, index);
    if (may_fire && !name.empty()) other_registers[name].push_back(call.number);
  }
  std::string_view default_register = words_of(argument_registers)[index];
  if (other_registers.empty()) return b_.ir.CreateSelect(is_i386, i386_register(default_register), value);
  return b_.replace_if(is_i386, value, "i386_argument", [&] {
    V argument = i386_register(default_register);
    V number = register_at(pt_regs_orig_ax);
    for (const auto& [name, numbers] : other_registers) {
      V uses_register = b_.ir.getFalse();
      for (uint16_t each : numbers)
        uses_register = b_.ir.CreateOr(uses_register, b_.ir.CreateICmpEQ(number, b_.number(each)));
      argument = b_.ir.CreateSelect(uses_register, i386_value(name), argument);
    }
    return argument;
  });
}

// The value of a register, of a pair of registers (high:low), of a sign-extended register (sign:low), or of a number of
// pages in bytes (pages:low).
V SyscallContext::i386_value(std::string_view name) {
  constexpr uint64_t half = 32, page_bits = 12;
  size_t colon = name.find(':');
  if (colon == std::string_view::npos) return i386_register(name);
  std::string_view high = name.substr(0, colon);
  V low = i386_register(name.substr(colon + 1));
  if (high == "sign") return b_.ir.CreateAShr(b_.ir.CreateShl(low, b_.number(half)), b_.number(half));
  if (high == "pages") return b_.ir.CreateShl(low, b_.number(page_bits));
  return b_.ir.CreateOr(low, b_.ir.CreateShl(i386_register(high), b_.number(half)));
}

}  // namespace dscope
