// Unwinds stacks of arm64, where calls leave the return address in a register, with tables that are written here.
#include <gtest/gtest.h>

#include <cstring>

#include "arch/unwind_machine.h"
#include "codegen/bpf/unwind.h"
#include "tests/support/fake_unwind_maps.h"

namespace dscope::test {
namespace {

FakeUnwindMaps& linked_maps = fake_unwind_maps;

constexpr uint64_t code_start = 0x400000, function_bytes = 0x100;
constexpr uint64_t leaf = code_start, pair = code_start + 0x100, single = code_start + 0x200, last = code_start + 0x300,
                   untabled = code_start + 0x10000;
constexpr uint64_t signature = 0x00a5000000000000;

class LinkedWalk : public testing::Test {
 protected:
  LinkedWalk() {
    constexpr uint32_t rows_at = 1000, pages_at = 2000, areas_at = 3000;
    const ds_unwind_rule rules[] = {
        {.kind = DS_UNWIND_STACK, .frame_kind = DS_UNWIND_RETURN_IN_REGISTER, .frame_offset = 0, .offset = 0},
        {.kind = DS_UNWIND_STACK, .frame_kind = DS_UNWIND_RETURN_BEHIND_FRAME, .frame_offset = -32, .offset = 32},
        {.kind = DS_UNWIND_STACK, .frame_kind = DS_UNWIND_RETURN_AT_CFA, .frame_offset = -16, .offset = 16},
        {.kind = DS_UNWIND_END, .frame_kind = 0, .frame_offset = 0, .offset = 0}};
    std::span<uint32_t> words = linked_maps.add_chunk();
    for (uint32_t i = 0; i < std::size(rules); ++i) {
      std::memcpy(&words[(i + 1) * 2], &rules[i], sizeof rules[i]);
      words[rows_at + i] = i * static_cast<uint32_t>(function_bytes) << 16 | (i + 1);
    }
    words[pages_at] = rows_at;
    words[pages_at + 1] = std::size(rules);
    ds_unwind_area area{
        .start = code_start, .end = code_start + 0x20000, .bias = code_start, .pages = pages_at, .page_count = 1};
    std::memcpy(&words[areas_at], &area, sizeof area);
    linked_maps.counters = {};
    linked_maps.misses = 0;
    linked_maps.uprobes = {};
    linked_maps.run_process({.stack_start = 77, .code_pages = 5}, areas_at, 1);
  }
  ~LinkedWalk() override { linked_maps.chunks.clear(); }

  static std::vector<uint64_t> walk(uint64_t code, const uint64_t* stack, const uint64_t* frame, uint64_t link) {
    ds_unwind_walk state = fake_walk(code, reinterpret_cast<uint64_t>(stack), reinterpret_cast<uint64_t>(frame));
    state.machine = unwind_machine(aarch64);
    state.link = link;
    unsigned long long frames[16] = {};
    i64 bytes = ds_unwind(frames, std::size(frames), &state);
    return {frames, frames + bytes / 8};
  }
};

using Frames = std::vector<uint64_t>;

TEST_F(LinkedWalk, FollowsTheRegisterThenTheStack) {
  uint64_t stack[10] = {};
  stack[0] = 0;  // pair: the frame pointer and the return address at its lower end
  stack[1] = (single + 16) | signature;
  stack[4] = last + 8;  // single
  EXPECT_EQ(walk(leaf + 4, stack, stack + 8, (pair + 12) | signature),
            (Frames{leaf + 4, pair + 12, single + 16, last + 8}));
  EXPECT_EQ(linked_maps.counters.unsupported_rules + linked_maps.counters.unreadable_memory, 0U);
}

TEST_F(LinkedWalk, FollowsFramePointersInCodeWithoutATable) {
  uint64_t stack[16] = {};
  stack[6] = reinterpret_cast<uint64_t>(stack + 10);
  stack[7] = untabled + 40;
  stack[10] = 0;
  stack[11] = last + 4;
  EXPECT_EQ(walk(untabled + 4, stack, stack + 6, 0), (Frames{untabled + 4, untabled + 40, last + 4}));
}

// Only the innermost frame has its return address in the register.
TEST_F(LinkedWalk, EndsWhereTheRegisterWasOverwritten) {
  uint64_t stack[10] = {};
  stack[1] = leaf + 8;
  EXPECT_EQ(walk(pair + 4, stack, stack, single), (Frames{pair + 4, leaf + 8}));
}

TEST_F(LinkedWalk, FindsReturnAddressesThatUretprobesHaveReplaced) {
  constexpr uint64_t trampoline = 0x7fffff000;
  uint64_t stack[10] = {};
  stack[1] = trampoline;
  // The kernel remembers the stack pointer at the first instruction of the function.
  FakeReturn replaced{.place = reinterpret_cast<uint64_t>(stack + 4), .address = last + 4};
  linked_maps.uprobes.returns = reinterpret_cast<uint64_t>(&replaced);
  EXPECT_EQ(walk(pair + 4, stack, stack, 0), (Frames{pair + 4, last + 4}));
}

}  // namespace
}  // namespace dscope::test
