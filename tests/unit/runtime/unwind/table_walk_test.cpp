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

namespace {

std::vector<std::vector<uint32_t>> chunks;
ds_unwind_process known{};
ds_unwind_counters counters{};
ds_unwind_miss last_miss{};
int misses = 0;

// A struct task_struct whose members are at the offsets of `offsets`.
struct FakeTask {
  uint64_t memory, parent, process;
};
struct FakeMemory {
  uint64_t stack_start, code_pages;
};
FakeMemory memory_of_task{};
FakeTask task{};
const ds_unwind_offsets offsets{.task_memory = offsetof(FakeTask, memory),
                                .task_parent = offsetof(FakeTask, parent),
                                .task_process = offsetof(FakeTask, process),
                                .memory_stack_start = offsetof(FakeMemory, stack_start),
                                .memory_code_pages = offsetof(FakeMemory, code_pages)};

}  // namespace

extern "C" {
unsigned long long fake_task = 0;

void* fake_map_lookup(const void* map, const void* key) {
  uint32_t number = 0;
  std::memcpy(&number, key, sizeof number);
  for (std::vector<uint32_t>& chunk : chunks)
    if (map == chunk.data()) return chunk.data();
  std::string_view name = static_cast<const char*>(map);
  if (name == "ds_unwind_chunks") return number < chunks.size() ? chunks[number].data() : nullptr;
  if (name == "ds_unwind_counters") return &counters;
  return number == 1 && known.stack_start != 0 ? &known : nullptr;
}
long fake_map_update(const void*, const void*, const void*) { return 0; }
long fake_ring_output(const void*, const void* data, unsigned long long) {
  std::memcpy(&last_miss, data, sizeof last_miss);
  ++misses;
  return 0;
}
}

namespace dscope::test {
namespace {

class TableWalk : public testing::Test {
 protected:
  TableWalk() {
    auto pid = static_cast<uint32_t>(::getpid());
    areas_ = areas_of(pid, *ProcessMaps::read(pid), tables_);
    auto words = static_cast<uint32_t>(areas_.size() * sizeof(ds_unwind_area) / 4);
    uint32_t location = memory_.allocate(words).value();
    std::memcpy(memory_.at(location, words).data(), areas_.data(), words * 4);
    known = {.stack_start = 77,
             .code_pages = 5,
             .areas = location,
             .area_count = static_cast<uint32_t>(areas_.size()),
             .is_reported = 0};
    memory_of_task = {.stack_start = 77, .code_pages = 5};
    task = {.memory = reinterpret_cast<uint64_t>(&memory_of_task),
            .parent = reinterpret_cast<uint64_t>(&task),
            .process = 1};
    fake_task = reinterpret_cast<uint64_t>(&task);
    counters = {};
    misses = 0;
  }
  ~TableWalk() override { chunks.clear(); }

  TableMemory memory_{[](uint32_t) { return std::span{chunks.emplace_back(DS_UNWIND_CHUNK_WORDS)}; }};
  ObjectTables tables_{memory_};
  std::vector<ds_unwind_area> areas_;
};

constexpr size_t max_frames = 32;

std::vector<uint64_t> walk_from(const ucontext_t& context, uint64_t process = 1) {
  const greg_t* registers = context.uc_mcontext.gregs;
  ds_unwind_walk walk{};
  walk.offsets = offsets;
  walk.code = static_cast<uint64_t>(registers[REG_RIP]);
  walk.stack = static_cast<uint64_t>(registers[REG_RSP]);
  walk.frame = static_cast<uint64_t>(registers[REG_RBP]);
  walk.process = process;
  unsigned long long frames[max_frames] = {};
  i64 bytes = ds_unwind(frames, max_frames, &walk);
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
  EXPECT_EQ(counters.stacks, 1U);
  EXPECT_EQ(counters.unknown_code + counters.unsupported_rules + counters.unreadable_memory, 0U)
      << "_start marks the end of the stack";
  EXPECT_EQ(misses, 0);
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
  known.stack_start = 78;  // another program
  EXPECT_TRUE(walk_from(context).empty());
  EXPECT_EQ(misses, 1);
  EXPECT_EQ(last_miss.stack_start, 77U);
  EXPECT_EQ(known.is_reported, 1U);
  EXPECT_TRUE(walk_from(context).empty());
  EXPECT_EQ(misses, 1) << "once until the consumer has answered";
  EXPECT_EQ(counters.unknown_processes, 2U);
  known.stack_start = 77;
  known.is_reported = 0;
  memory_of_task.code_pages = 6;
  EXPECT_FALSE(walk_from(context).empty()) << "the old mappings serve until then";
  EXPECT_EQ(misses, 2);
  EXPECT_EQ(last_miss.code_pages, 6U);
}

TEST_F(TableWalk, ChildrenHaveTheMappingsOfTheirParents) {
  ucontext_t context{};
  ASSERT_EQ(::getcontext(&context), 0);
  EXPECT_FALSE(walk_from(context, 2).empty());
  EXPECT_EQ(misses, 1) << "their own are asked for";
}

}  // namespace
}  // namespace dscope::test
