// System calls of 32-bit programs, which have numbers and registers of their own. They fire the probes of the 64-bit
// calls that do the same, or have numbers that 64-bit programs cannot use (HookSyscall::first_compat_number).
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
constexpr uint16_t no_number = 0xffff;  // no call has it
// By number. From some number on, calls have the same everywhere.
std::vector<uint16_t> numbers_for_64_bits() {
  constexpr uint16_t table_size = 512;  // a power of two: indices are masked
  constexpr uint16_t first_common = 424;
  std::vector<uint16_t> numbers(table_size);
  for (uint16_t i = 0; i < table_size; ++i)
    numbers[i] = i < first_common ? static_cast<uint16_t>(HookSyscall::first_compat_number + i) : i;
  for (const I386Call& call : i386_calls) numbers[call.number] = call.number_for_64_bits;
  numbers.back() = no_number;  // for all numbers beyond
  return numbers;
}
// Where the argument of that place is, if not where it usually is; empty: there.
std::string_view unusual_register(const I386Call& call, uint32_t index) {
  if (call.registers.empty()) return {};
  std::vector<std::string_view> places = words_of(call.registers);
  if (index >= places.size() || places[index] == words_of(argument_registers)[index]) return {};
  return places[index];
}

}  // namespace

// The kernel notes for the duration of a call in the thread's flags that it came by the gate for 32 bits.
V SyscallContext::is_i386_call() {
  constexpr uint64_t ts_compat = 2;
  for (const TaskMember& member : compiled_.task_members)
    if (member.path == "thread_info.status")
      return core_.once(CachedValue::IsI386Call, [&] {
        V task = task_.current_task();
        V status = nullptr;
        if (options_.trusted_loads) {
          status = b_.load_kernel(b_.at(task, member.offset), 4, false);
        } else {
          V copy = b_.shared_slot(8, "read");
          V address = b_.ir.CreateAdd(b_.to_number(task), b_.number(member.offset));
          b_.zero(copy, 8);
          b_.call(Helper::ProbeReadKernel, {copy, b_.number32(4), address});
          status = b_.load(copy, 4, false);
        }
        return b_.is_nonzero(b_.ir.CreateAnd(status, b_.number(ts_compat)));
      });
  return b_.ir.getFalse();
}

V SyscallContext::number_for_64_bits(V number) {
  V is_other = is_i386_call();
  if (llvm::isa<llvm::Constant>(is_other)) return number;
  const std::vector<HookSyscall>& calls = frame_.program->calls;
  auto is_of_32_bits = [](const HookSyscall& call) { return call.number >= HookSyscall::first_compat_number; };
  V own = number;
  if (std::ranges::any_of(calls, is_of_32_bits)) {
    V is_possible = b_.ir.CreateICmpULT(number, b_.number(HookSyscall::first_compat_number));
    own = b_.ir.CreateSelect(is_possible, number, b_.number(no_number));
  }
  std::vector<uint16_t> numbers = numbers_for_64_bits();
  V last = b_.number(numbers.size() - 1);
  return b_.replace_if(is_other, own, "call_of_32_bits", [&] {
    V is_inside = b_.ir.CreateICmpULT(number, b_.number(numbers.size()));
    V index = b_.ir.CreateAnd(b_.pin(b_.ir.CreateSelect(is_inside, number, last)), last);
    return b_.load(b_.at(b_.constant_words16(numbers, "i386_calls"), b_.ir.CreateShl(index, b_.number(1))), 2, false);
  });
}

// It stays a load from one place: the back end would make one load of two addresses of a choice between registers.
V SyscallContext::i386_register(std::string_view name) {
  std::vector<std::string_view> names = words_of(argument_registers);
  auto index = static_cast<size_t>(std::ranges::find(names, name) - names.begin());
  return b_.ir.CreateAnd(b_.pin(register_at(i386_argument_offsets[index])), b_.number(0xffffffff));
}

// `value`, or the argument if it is that of a 32-bit program. Calls that have it elsewhere are told apart by their
// numbers, if the program is for them.
V SyscallContext::i386_argument_or(V value, uint32_t index) {
  V is_other = is_i386_call();
  if (llvm::isa<llvm::Constant>(is_other)) return value;
  std::map<std::string_view, std::vector<uint16_t>> unusual;  // numbers by place
  for (const I386Call& call : i386_calls) {
    auto is_it = [&](const HookSyscall& hook) { return hook.number == call.number_for_64_bits; };
    bool may_fire = core_.has_many_clauses() || std::ranges::any_of(frame_.program->calls, is_it);
    std::string_view place = unusual_register(call, index);
    if (may_fire && !place.empty()) unusual[place].push_back(call.number);
  }
  std::string_view usual = words_of(argument_registers)[index];
  if (unusual.empty()) return b_.ir.CreateSelect(is_other, i386_register(usual), value);
  return b_.replace_if(is_other, value, "i386_argument", [&] {
    V argument = i386_register(usual);
    V number = register_at(pt_regs_orig_ax);
    for (const auto& [place, numbers] : unusual) {
      V is_there = b_.ir.getFalse();
      for (uint16_t each : numbers) is_there = b_.ir.CreateOr(is_there, b_.ir.CreateICmpEQ(number, b_.number(each)));
      argument = b_.ir.CreateSelect(is_there, i386_value(place), argument);
    }
    return argument;
  });
}

// What a register holds, or two: `high:low`.
V SyscallContext::i386_value(std::string_view place) {
  constexpr uint64_t half = 32, page_bits = 12;
  size_t colon = place.find(':');
  if (colon == std::string_view::npos) return i386_register(place);
  std::string_view high = place.substr(0, colon);
  V low = i386_register(place.substr(colon + 1));
  if (high == "sign") return b_.ir.CreateAShr(b_.ir.CreateShl(low, b_.number(half)), b_.number(half));
  if (high == "pages") return b_.ir.CreateShl(low, b_.number(page_bits));
  return b_.ir.CreateOr(low, b_.ir.CreateShl(i386_register(high), b_.number(half)));
}

}  // namespace dscope
