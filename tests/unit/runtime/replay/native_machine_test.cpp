#include "runtime/replay/native_machine.h"

#include <gtest/gtest.h>
#include <linux/bpf.h>

#include <cerrno>
#include <string>
#include <vector>

namespace dscope {
namespace {

ProgramPlan plan() {
  ProgramPlan plan;
  plan.maps.push_back({.name = "ds_ring", .kind = MapKind::RingBuffer, .max_entries = 256});
  plan.maps.push_back({.name = "ds_task", .kind = MapKind::TaskStorage, .key_size = 4, .value_size = 16});
  plan.maps.push_back({.name = "ds_state",
                       .kind = MapKind::Array,
                       .key_size = 4,
                       .value_size = 16,
                       .max_entries = 1,
                       .is_direct = true});
  return plan;
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span{text}); }

class NativeMachineTest : public testing::Test {
 protected:
  static constexpr uint64_t kernel = 0xffff'8880'0000'1000, user = 0x7ffd'1234'5678;

  NativeMachineTest() {
    memory_ = {{user, bytes_of(std::string_view("path\0", 5))}, {kernel, bytes_of("kernel")}};
    thread_.pid = 10;
    thread_.tid = 11;
    set({.time = 77, .cpu = 1, .thread = &thread_, .thread_key = 11, .memory = memory_});
  }

  void set(const Firing& firing) {
    firing_ = firing;
    machine_->set_firing(firing_);
  }
  template <typename... T>
  int64_t call(uint32_t helper, T... arguments) {
    auto* function = reinterpret_cast<uint64_t (*)(NativeMachine*, decltype(uint64_t(arguments))...)>(
        const_cast<void*>(NativeMachine::helper(helper)));
    return static_cast<int64_t>(function(machine_.get(), static_cast<uint64_t>(arguments)...));
  }
  static uint64_t at(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

  ProgramPlan plan_ = plan();
  std::unique_ptr<NativeMachine> machine_ = *NativeMachine::create(plan_, 2);
  std::vector<RecordedMemory> memory_;
  FiringThread thread_;
  Firing firing_;
};

TEST_F(NativeMachineTest, AnswersFromTheFiring) {
  EXPECT_EQ(call(BPF_FUNC_ktime_get_ns), 77);
  EXPECT_EQ(call(BPF_FUNC_get_smp_processor_id), 1);
  EXPECT_EQ(call(BPF_FUNC_get_current_pid_tgid), (int64_t{10} << 32) + 11);
}

TEST_F(NativeMachineTest, ReadsRecordedMemoryAndFaultsElsewhere) {
  char buffer[8] = "xxxxxxx";
  EXPECT_EQ(call(BPF_FUNC_probe_read_kernel, at(buffer), 4, kernel + 2), 0);
  EXPECT_EQ(std::string_view(buffer, 4), "rnel");
  EXPECT_EQ(call(BPF_FUNC_probe_read_kernel, at(buffer), 5, kernel + 2), -EFAULT);
  EXPECT_EQ(std::string_view(buffer, 5), std::string_view("\0\0\0\0\0", 5));
  EXPECT_EQ(call(BPF_FUNC_probe_read_kernel, at(buffer), 1, kernel - 1), -EFAULT);
}

// The address spaces are separate, as with the kernel's helpers.
TEST_F(NativeMachineTest, HelpersForOneAddressSpaceFaultInTheOther) {
  char buffer[8] = {};
  EXPECT_EQ(call(BPF_FUNC_probe_read_user, at(buffer), 4, user), 0);
  EXPECT_EQ(call(BPF_FUNC_probe_read_kernel, at(buffer), 4, user), -EFAULT);
  EXPECT_EQ(call(BPF_FUNC_probe_read_user, at(buffer), 4, kernel), -EFAULT);
  EXPECT_EQ(call(BPF_FUNC_probe_read_user, at(buffer), 4, at(machine_->stack().data())), -EFAULT);
  EXPECT_EQ(call(BPF_FUNC_probe_read_kernel, at(buffer), 4, at(machine_->stack().data())), 0);
}

TEST_F(NativeMachineTest, TextsEndAtTheirNulOrAreCut) {
  char buffer[8] = {};
  EXPECT_EQ(call(BPF_FUNC_probe_read_user_str, at(buffer), 8, user), 5);
  EXPECT_STREQ(buffer, "path");
  EXPECT_EQ(call(BPF_FUNC_probe_read_user_str, at(buffer), 3, user), 3);
  EXPECT_STREQ(buffer, "pa");
  EXPECT_EQ(call(BPF_FUNC_probe_read_kernel_str, at(buffer), 8, kernel), -EFAULT);  // no NUL was recorded
}

TEST_F(NativeMachineTest, EarlierMemoryOfTheThreadIsLookedUpLast) {
  std::vector<RecordedMemory> earlier = {{user, bytes_of(std::string_view("old\0", 4))},
                                         {user + 64, bytes_of(std::string_view("more\0", 5))}};
  set({.thread = &thread_, .memory = memory_, .earlier_memory = earlier});
  char buffer[8] = {};
  EXPECT_EQ(call(BPF_FUNC_probe_read_user_str, at(buffer), 8, user), 5);
  EXPECT_STREQ(buffer, "path");
  EXPECT_EQ(call(BPF_FUNC_probe_read_user_str, at(buffer), 8, user + 64), 5);
  EXPECT_STREQ(buffer, "more");
}

TEST_F(NativeMachineTest, StorageBelongsToAThread) {
  uint64_t map = at(machine_->map_symbol("ds_task"));
  EXPECT_EQ(call(BPF_FUNC_task_storage_get, map, 0, 0, 0), 0);
  int64_t own = call(BPF_FUNC_task_storage_get, map, 0, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
  EXPECT_NE(own, 0);
  EXPECT_EQ(call(BPF_FUNC_task_storage_get, map, 0, 0, 0), own);
  set({.thread = &thread_, .thread_key = 12});
  EXPECT_EQ(call(BPF_FUNC_task_storage_get, map, 0, 0, 0), 0);
}

TEST_F(NativeMachineTest, StacksAreCopiedAndPadded) {
  std::vector<uint64_t> frames = {1, 2, 3};
  set({.thread = &thread_, .kernel_stack = frames});
  uint64_t buffer[4] = {9, 9, 9, 9};
  EXPECT_EQ(call(BPF_FUNC_get_stack, 0, at(buffer), sizeof buffer, 0), 24);
  EXPECT_EQ(buffer[2], 3U);
  EXPECT_EQ(buffer[3], 0U);
  EXPECT_EQ(call(BPF_FUNC_get_stack, 0, at(buffer), 8, 1), 8);
  EXPECT_EQ(buffer[0], 2U);
  EXPECT_EQ(call(BPF_FUNC_get_stack, 0, at(buffer), 8, BPF_F_USER_STACK), -EFAULT);
}

TEST_F(NativeMachineTest, RingKeepsOrderAndForgetsDiscardedRecords) {
  uint64_t ring = at(machine_->map_symbol("ds_ring"));
  std::vector<std::byte*> records;
  for (int i = 0; i < 3; ++i) {
    auto* record = reinterpret_cast<std::byte*>(call(BPF_FUNC_ringbuf_reserve, ring, 20, 0));
    ASSERT_NE(record, nullptr);
    record[0] = static_cast<std::byte>(i);
    records.push_back(record);
  }
  EXPECT_EQ(call(BPF_FUNC_ringbuf_reserve, ring, 200, 0), 0);  // full
  call(BPF_FUNC_ringbuf_submit, at(records[2]), 0);
  call(BPF_FUNC_ringbuf_discard, at(records[1]), 0);
  call(BPF_FUNC_ringbuf_submit, at(records[0]), 0);
  std::string seen;
  machine_->ring().consume([&](std::span<const std::byte> record) {
    EXPECT_EQ(record.size(), 20U);
    seen += std::to_string(static_cast<int>(record[0]));
  });
  EXPECT_EQ(seen, "02");
  EXPECT_TRUE(machine_->ring().is_empty());
  EXPECT_NE(call(BPF_FUNC_ringbuf_reserve, ring, 200, 0), 0);
}

// Captures come from strangers: a CPU beyond the machine's must not reach other memory.
TEST_F(NativeMachineTest, CpusBeyondTheMachineAreItsLast) {
  set({.cpu = 4000, .thread = &thread_});
  EXPECT_EQ(call(BPF_FUNC_get_smp_processor_id), 1);
}

TEST_F(NativeMachineTest, HasNoHelpersThatChangeProcesses) {
  EXPECT_EQ(NativeMachine::helper(BPF_FUNC_probe_write_user), nullptr);
  EXPECT_EQ(NativeMachine::helper(BPF_FUNC_send_signal), nullptr);
}

}  // namespace
}  // namespace dscope
