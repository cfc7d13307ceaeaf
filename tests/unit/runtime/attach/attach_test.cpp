// Attaches each kind of hook and runs a workload of known size.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "tests/unit/runtime/session/session_fixture.h"

namespace dscope::testing {
namespace {

// Runs `work` in the armed session, then ends the run. The record of the first tick shows that the session is armed.
void work_at_first_tick(ProgramPlan& plan, std::function<void()> work) {
  add_program(plan, "tick", HookTimer{.period_ns = millisecond});
  consumer_log.on_record = [work = std::move(work)](const TestRecord& record) {
    if (record.header.clause != 3 || record.value != 1) return;
    work();
    ::raise(SIGTERM);
  };
}

void call_getppid(int times) {
  for (int i = 0; i < times; ++i) ::syscall(SYS_getppid);
}

ProgramPlan plan_for_getppid() {
  ProgramPlan plan = make_plan();
  set_global(plan, global_pid, static_cast<uint64_t>(::getpid()));
  set_global(plan, global_number, SYS_getppid);
  return plan;
}

std::vector<uint32_t> rows(uint32_t clause) {
  std::vector<uint32_t> result;
  for (const TestRecord& record : consumer_log.records) {
    if (record.header.clause == clause) result.push_back(record.header.probe_row);
  }
  return result;
}

// Keeps every CPU busy: the clock event of an idle CPU can stop for seconds.
class BusyCpus {
 public:
  BusyCpus() {
    for (unsigned cpu = 0; cpu < count(); ++cpu) threads_.emplace_back([this, cpu] { spin(cpu); });
  }
  ~BusyCpus() {
    is_done_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  static unsigned count() { return std::min(std::thread::hardware_concurrency(), 63u); }

 private:
  void spin(unsigned cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ::sched_setaffinity(0, sizeof one, &one);
    while (!is_done_) {
    }
  }
  std::atomic<bool> is_done_{false};
  std::vector<std::thread> threads_;
};

// One program serves 360 probes through one raw tracepoint and sees each call once.
TEST_F(SessionTest, SyscallProgramAttachesOnce) {
  ProgramPlan plan = plan_for_getppid();
  BpfProgramPlan& program = add_program(plan, "enter_copied", HookSyscall{.number = 0});
  program.row_source = RowSource::Table;
  for (uint32_t number = 1; number < 360; ++number)
    program.attachments.push_back({.hook = HookSyscall{.number = number}, .cookie = number});
  work_at_first_tick(plan, [] { call_getppid(100); });
  auto result = run(plan);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(consumer_log.values(6).size(), 100u);
}

TEST_F(SessionTest, NothingFiresBeforeTheSessionIsArmed) {
  ProgramPlan plan = plan_for_getppid();
  add_program(plan, "enter_copied", HookRawTracepoint{.name = "sys_enter"});
  add_program(plan, "begin_exits", begin_hook());
  consumer_log.on_record = [](const TestRecord&) { call_getppid(10); };
  ASSERT_TRUE(run(plan));
  EXPECT_TRUE(consumer_log.values(6).empty());
}

TEST_F(SessionTest, RawTracepointsPassCookies) {
  ProgramPlan plan = plan_for_getppid();
  BpfProgramPlan& program = add_program(plan, "enter_cookie", HookRawTracepoint{.name = "sys_enter"}, 71);
  program.attachments.push_back({.hook = HookRawTracepoint{.name = "sys_enter"}, .cookie = 72});
  work_at_first_tick(plan, [] { call_getppid(3); });
  auto result = run(plan);
  if (!result) GTEST_SKIP() << "this kernel has no raw tracepoint cookies: " << result.error().message();
  EXPECT_EQ(rows(6), (std::vector<uint32_t>{71, 72, 71, 72, 71, 72}));
}

TEST_F(SessionTest, ProgramCopiesPassCookies) {
  ProgramPlan plan = plan_for_getppid();
  BpfProgramPlan& program = add_program(plan, "enter_copied", HookRawTracepoint{.name = "sys_enter"}, 71);
  program.attachments.push_back({.hook = HookRawTracepoint{.name = "sys_enter"}, .cookie = uint64_t{5} << 33});
  program.cookie_by_copy = true;
  work_at_first_tick(plan, [] { call_getppid(2); });
  auto result = run(plan);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(consumer_log.values(6), (std::vector<uint64_t>{71, uint64_t{5} << 33, 71, uint64_t{5} << 33}));
}

TEST_F(SessionTest, PerfClockFiresOnItsCpu) {
  ProgramPlan plan = make_plan();
  plan.options.set_number(OptionId::Cpu, 0);
  add_program(plan, "clock", HookPerfClock{.period_ns = millisecond}, 33, BpfContext::PerfEvent);
  set_global(plan, global_limit, 20);
  BusyCpus busy;
  auto result = run(plan);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(rows(7), std::vector<uint32_t>(20, 33));
  for (const TestRecord& record : consumer_log.records) EXPECT_EQ(record.header.cpu, 0u);
}

TEST_F(SessionTest, PerfClockFiresOnAllCpus) {
  ProgramPlan plan = make_plan();
  add_program(plan, "clock", HookPerfClock{.period_ns = millisecond}, 33, BpfContext::PerfEvent);
  set_global(plan, global_limit, 1'000'000);
  BusyCpus busy;
  uint64_t seen = 0;
  bool is_done = false;
  consumer_log.on_record = [&](const TestRecord& record) {
    seen |= uint64_t{1} << record.header.cpu;
    if (seen == (uint64_t{1} << BusyCpus::count()) - 1 && !std::exchange(is_done, true)) ::raise(SIGTERM);
  };
  auto result = run(plan);
  ASSERT_TRUE(result) << result.error().message();
}

TEST_F(SessionTest, TimerInPerfContextUsesOneEvent) {
  ProgramPlan plan = make_plan();
  add_program(plan, "clock", HookTimer{.period_ns = millisecond}, 34, BpfContext::PerfEvent);
  set_global(plan, global_limit, 5);
  BusyCpus busy;
  ASSERT_TRUE(run(plan));
  EXPECT_EQ(rows(7), std::vector<uint32_t>(5, 34));
  for (const TestRecord& record : consumer_log.records)
    EXPECT_EQ(record.header.cpu, consumer_log.records[0].header.cpu);
}

TEST_F(SessionTest, PerfTracepointDetachesInTheBackground) {
  ProgramPlan plan = plan_for_getppid();
  add_program(plan, "tracepoint", HookTracepoint{.category = "syscalls", .name = "sys_enter_getppid"}, 8,
              BpfContext::Tracepoint)
      .attachments.push_back({.hook = HookTracepoint{.category = "syscalls", .name = "sys_exit_getppid"}, .cookie = 9});
  work_at_first_tick(plan, [] { call_getppid(2); });
  auto result = run(plan);
  if (!result && result.error().error_number() == ENOENT) GTEST_SKIP() << result.error().message();
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(rows(8), (std::vector<uint32_t>{8, 9, 8, 9}));
}

TEST_F(SessionTest, UnknownTracepointIsNamed) {
  ProgramPlan plan = make_plan();
  add_program(plan, "enter", HookRawTracepoint{.name = "no_such_tracepoint"});
  auto result = run(plan);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(),
            "cannot attach to test:::enter: this kernel has no tracepoint no_such_tracepoint");
}

TEST_F(SessionTest, ThreadLocalsLiveInTaskStorage) {
  ProgramPlan plan = make_plan();
  plan.maps.push_back({.name = "ds_task", .kind = MapKind::TaskStorage, .key_size = 4, .value_size = 24});
  add_program(plan, "thread_local_tick", HookTimer{.period_ns = millisecond});
  set_global(plan, global_limit, 4);
  auto result = run(plan);
  ASSERT_TRUE(result) << result.error().message() << "\n" << result.error().hint_text();
  EXPECT_EQ(consumer_log.values(9), (std::vector<uint64_t>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace dscope::testing
