// Unwinds the stack of this test program as BPF programs do: ds_unwind() runs natively on the tables that the consumer
// makes of the program's own file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "codegen/bpf/unwind.h"
#include "runtime/unwind/process_areas.h"
#include "tests/support/fake_unwind_maps.h"

namespace dscope::test {
namespace {

FakeUnwindMaps& maps = fake_unwind_maps;

class TableWalk : public testing::Test {
 protected:
  TableWalk() {
    auto pid = static_cast<uint32_t>(::getpid());
    areas_ = areas_of(pid, *ProcessMaps::read(pid), tables_);
    auto words = static_cast<uint32_t>(areas_.size() * sizeof(ds_unwind_area) / 4);
    uint32_t location = memory_.allocate(words).value();
    std::memcpy(memory_.at(location, words).data(), areas_.data(), words * 4);
    maps.counters = {};
    maps.misses = 0;
    maps.uprobes = {};
    maps.run_process({.stack_start = 77, .code_pages = 5}, location, static_cast<uint32_t>(areas_.size()));
  }
  ~TableWalk() override { maps.chunks.clear(); }

  TableMemory memory_{[](uint32_t) { return maps.add_chunk(); }};
  ObjectTables tables_{memory_};
  std::vector<ds_unwind_area> areas_;
};

constexpr size_t max_frames = 32;

std::vector<uint64_t> walk_from(const ucontext_t& context, uint64_t process = 1, bool* is_incomplete = nullptr) {
  const greg_t* registers = context.uc_mcontext.gregs;
  auto word = [&](int number) { return static_cast<uint64_t>(registers[number]); };
  ds_unwind_walk walk = fake_walk(word(REG_RIP), word(REG_RSP), word(REG_RBP));
  walk.process = process;
  unsigned long long frames[max_frames] = {};
  i64 bytes = ds_unwind(frames, max_frames, &walk);
  if (is_incomplete != nullptr) *is_incomplete = walk.is_incomplete != 0;
  return {frames, frames + bytes / 8};
}

struct Callers {
  std::vector<uint64_t> frames;
  uint64_t caller = 0, outer = 0;
};

[[gnu::noinline]] void walk_here(Callers& result) {
  result.caller = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  ucontext_t context{};
  ASSERT_EQ(::getcontext(&context), 0);
  result.frames = walk_from(context);
}

[[gnu::noinline]] void call_walk(Callers& result) {
  result.outer = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  walk_here(result);
  asm volatile("" ::: "memory");
}

TEST_F(TableWalk, FindsAllCallersUpToTheStartOfTheProgram) {
  Callers result;
  call_walk(result);
  ASSERT_GT(result.frames.size(), 5U);
  EXPECT_EQ(result.frames[1], result.caller);
  EXPECT_EQ(result.frames[2], result.outer);
  EXPECT_EQ(maps.counters.stacks, 1U);
  EXPECT_EQ(maps.counters.unknown_code + maps.counters.unsupported_rules + maps.counters.unreadable_memory, 0U)
      << "_start marks the end of the stack";
  EXPECT_EQ(maps.misses, 0);
}

Callers* signal_result = nullptr;

TEST_F(TableWalk, FindsTheCodeThatASignalInterrupted) {
  Callers result;
  signal_result = &result;
  struct sigaction action{};
  action.sa_sigaction = [](int, siginfo_t*, void* interrupted) {
    call_walk(*signal_result);
    signal_result->outer = static_cast<uint64_t>(static_cast<ucontext_t*>(interrupted)->uc_mcontext.gregs[REG_RIP]);
  };
  action.sa_flags = SA_SIGINFO;
  struct sigaction before{};
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  ::raise(SIGUSR1);
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_NE(std::ranges::find(result.frames, result.outer), result.frames.end());
  EXPECT_GT(result.frames.size(), 7U);
}

TEST_F(TableWalk, ReportsUnknownProcessesAndChangedMappings) {
  ucontext_t context{};
  ASSERT_EQ(::getcontext(&context), 0);
  maps.known.stack_start = 78;  // another program
  EXPECT_TRUE(walk_from(context).empty());
  EXPECT_EQ(maps.misses, 1);
  EXPECT_EQ(maps.last_miss.stack_start, 77U);
  EXPECT_EQ(maps.known.is_reported, 1U);
  EXPECT_TRUE(walk_from(context).empty());
  EXPECT_EQ(maps.misses, 1) << "once until the consumer has answered";
  EXPECT_EQ(maps.counters.unknown_processes, 2U);
  maps.known.stack_start = 77;
  maps.known.is_reported = 0;
  maps.memory.code_pages = 6;
  EXPECT_FALSE(walk_from(context).empty()) << "the old mappings serve until then";
  EXPECT_EQ(maps.misses, 2);
  EXPECT_EQ(maps.last_miss.code_pages, 6U);
}

// The kernel's trampoline is at the start of a page, in a mapping of its own.
constexpr uint64_t trampoline = 0x7fffff000;

[[gnu::noinline]] void walk_under_uretprobe(Callers& result, std::vector<FakeReturn>& returns) {
  auto* place = static_cast<volatile uint64_t*>(__builtin_dwarf_cfa()) - 1;
  result.caller = *place;
  returns.back().place = reinterpret_cast<uint64_t>(place);
  returns.back().address = result.caller;
  *place = trampoline;
  ucontext_t context{};
  ::getcontext(&context);
  result.frames = walk_from(context);
  *place = result.caller;
}

[[gnu::noinline]] void call_under_uretprobe(Callers& result, std::vector<FakeReturn>& returns) {
  result.outer = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  walk_under_uretprobe(result, returns);
  asm volatile("" ::: "memory");
}

TEST_F(TableWalk, FindsReturnAddressesThatUretprobesHaveReplaced) {
  std::vector<FakeReturn> returns(2);  // the first belongs to a frame that longjmp() has left
  returns[0] = {.place = 8, .address = 0x666000, .next = reinterpret_cast<uint64_t>(&returns[1])};
  maps.uprobes.returns = reinterpret_cast<uint64_t>(returns.data());
  Callers result;
  call_under_uretprobe(result, returns);
  ASSERT_GT(result.frames.size(), 3U);
  EXPECT_EQ(result.frames[1], result.caller);
  EXPECT_EQ(result.frames[2], result.outer);
  EXPECT_EQ(maps.counters.unknown_code, 0U);

  ds_return_offsets offsets = fake_walk(0, 0, 0).offsets.returns;
  auto original = [&](uint64_t place) {
    return static_cast<uint64_t>(ds_original_return(trampoline, place, &offsets));
  };
  EXPECT_EQ(original(returns[1].place), result.caller);
  EXPECT_EQ(original(returns[1].place + 8), trampoline);
  maps.uprobes.returns = 0;
  EXPECT_EQ(original(returns[1].place), trampoline);
}

// As compilers describe a function before its `ret`: the table still has the place of the frame pointer, which is now
// below the stack pointer.
asm(R"(
  .text
  .globl before_ret, inside_frame
popping: .cfi_startproc
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  pop %rbp
  .cfi_def_cfa_offset 8
before_ret:
  ret
  .cfi_endproc
framed: .cfi_startproc
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  nop
inside_frame:
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
)");
extern "C" const char before_ret[], inside_frame[];

TEST_F(TableWalk, KeepsAFramePointerThatTheFunctionHasRestored) {
  auto here = reinterpret_cast<uint64_t>(before_ret), caller = reinterpret_cast<uint64_t>(inside_frame);
  uint64_t stack[] = {0xbad, caller, 0, 0, caller};
  ds_unwind_walk walk = fake_walk(here, reinterpret_cast<uint64_t>(&stack[1]), reinterpret_cast<uint64_t>(&stack[3]));
  unsigned long long frames[max_frames] = {};
  EXPECT_EQ(ds_unwind(frames, max_frames, &walk), 24);
  EXPECT_EQ(frames[0], here);
  EXPECT_EQ(frames[1], caller);
  EXPECT_EQ(frames[2], caller) << "by the frame pointer";
}

TEST_F(TableWalk, WantsCopiesOfStacksThatItCannotUnwind) {
  ucontext_t context{};
  ASSERT_EQ(::getcontext(&context), 0);
  bool is_incomplete = true;
  walk_from(context, 1, &is_incomplete);
  EXPECT_FALSE(is_incomplete);
  maps.known.area_count = 0;  // a 32-bit program
  EXPECT_TRUE(walk_from(context, 1, &is_incomplete).empty());
  EXPECT_FALSE(is_incomplete);
  maps.known.stack_start = 78;
  walk_from(context, 1, &is_incomplete);
  EXPECT_TRUE(is_incomplete);
  EXPECT_NE(ds_number_copy(), ds_number_copy());
}

TEST_F(TableWalk, ChildrenHaveTheMappingsOfTheirParents) {
  ucontext_t context{};
  ASSERT_EQ(::getcontext(&context), 0);
  EXPECT_FALSE(walk_from(context, 2).empty());
  EXPECT_EQ(maps.misses, 1) << "their own are asked for";
}

}  // namespace
}  // namespace dscope::test
