// Unwinds the stack of this test program by its own unwind table.
#include "runtime/dwarf/stack_unwinder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <ucontext.h>

#include "arch/architecture.h"

namespace dscope::test {
namespace {

// The registers as words of struct pt_regs.
std::vector<uint64_t> words_of(const ucontext_t& context) {
  const mcontext_t& registers = context.uc_mcontext;
  std::vector<uint64_t> words(native_architecture().register_words);
#if defined(__x86_64__)
  constexpr int order[] = {REG_R15, REG_R14, REG_R13, REG_R12, REG_RBP, REG_RBX, REG_R11, REG_R10,
                           REG_R9,  REG_R8,  REG_RAX, REG_RCX, REG_RDX, REG_RSI, REG_RDI};
  for (size_t i = 0; i < std::size(order); ++i) words[i] = static_cast<uint64_t>(registers.gregs[order[i]]);
  words[x86_64.instruction_pointer / 8] = static_cast<uint64_t>(registers.gregs[REG_RIP]);
  words[x86_64.stack_pointer / 8] = static_cast<uint64_t>(registers.gregs[REG_RSP]);
#else
  for (size_t i = 0; i < std::size(registers.regs); ++i) words[i] = registers.regs[i];
  words[aarch64.stack_pointer / 8] = registers.sp;
  words[aarch64.instruction_pointer / 8] = registers.pc;
#endif
  return words;
}

constexpr size_t copied_bytes = 8192;  // more than the frames, which sanitizers pad

// The sanitizer would complain of the memory between variables.
[[gnu::no_sanitize_address]] std::vector<std::byte> copy_stack(uint64_t stack_pointer) {
  std::vector<std::byte> copy(copied_bytes);
  const auto* from = reinterpret_cast<const volatile std::byte*>(stack_pointer);
  for (size_t i = 0; i < copied_bytes; ++i) copy[i] = from[i];
  return copy;
}

struct Unwound {
  std::vector<uint64_t> frames;
  uint64_t caller = 0, caller_of_caller = 0;  // as the compiler knows them
};

// The test program is not position-independent: addresses in the file and in memory are the same.
[[gnu::noinline]] void unwind_here(const FrameTable& table, Unwound& result) {
  result.caller = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  ucontext_t context{};
  ASSERT_EQ(::getcontext(&context), 0);
  std::vector<uint64_t> words = words_of(context);
  std::vector<std::byte> stack = copy_stack(words[native_architecture().stack_pointer / 8]);
  result.frames = unwind(ThreadRegisters::from_pt_regs(words), stack, 3,
                         [&](uint64_t address) { return CodeLocation{.table = &table, .address = address}; });
}

[[gnu::noinline]] void call_unwinder(const FrameTable& table, Unwound& result) {
  result.caller_of_caller = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  unwind_here(table, result);
  asm volatile("" ::: "memory");  // otherwise the call would be a jump
}

TEST(StackUnwinder, FindsTheCallers) {
  if (find_libdw() == nullptr) GTEST_SKIP() << "libdw is not installed";
  auto table = FrameTable::open(Fd{::open("/proc/self/exe", O_RDONLY | O_CLOEXEC)});
  ASSERT_NE(table, nullptr);
  Unwound result;
  // The copy of the stack reaches beyond the frames: here, and not beyond the end of the stack.
  volatile std::byte room[2 * copied_bytes] = {};
  call_unwinder(*table, result);
  EXPECT_EQ(std::to_integer<int>(room[0]), 0);
  ASSERT_EQ(result.frames.size(), 3U);
  EXPECT_EQ(result.frames[1], result.caller);
  EXPECT_EQ(result.frames[2], result.caller_of_caller);
}

TEST(StackUnwinder, FollowsFramePointersWithoutATable) {
  const Architecture& machine = native_architecture();
  std::vector<uint64_t> words(machine.register_words);
  constexpr uint64_t stack_pointer = 0x7000, function = 0x1000, caller = 0x2000, outer = 0x3000;
  words[machine.instruction_pointer / 8] = function;
  words[machine.stack_pointer / 8] = stack_pointer;
  words[machine.unwinding.offsets[machine.unwinding.frame_pointer] / 8] = stack_pointer + 8;
  const uint64_t stack[] = {0, stack_pointer + 24, caller, stack_pointer + 40, outer, 0, 0};
  auto frames = unwind(ThreadRegisters::from_pt_regs(words), std::as_bytes(std::span{stack}), 10,
                       [](uint64_t) { return CodeLocation{}; });
  EXPECT_EQ(frames, (std::vector<uint64_t>{function, caller, outer}));
}

}  // namespace
}  // namespace dscope::test
