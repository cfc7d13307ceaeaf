// Life cycle of a run: BEGIN, ticks, exit(), END, signals, drops, write errors.
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <new>
#include <numeric>
#include <stdexcept>

#include "session_fixture.h"
#include "support/interruption.h"

namespace dscope::testing {
namespace {

TEST_F(SessionTest, BeginAndEndFireInThisProcess) {
  ProgramPlan plan = make_plan();
  add_program(plan, "begin_exits", begin_hook(), 17);
  add_program(plan, "begin", begin_hook(), 5);
  add_program(plan, "end", end_hook(), 9);
  set_global(plan, global_status, 3);
  auto result = run(plan);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->exit_status, 3);
  // exit() in the first BEGIN clause keeps the second from running.
  ASSERT_EQ(consumer_log.records.size(), 2u);
  EXPECT_EQ(consumer_log.records[0].header.clause, 1u);
  EXPECT_EQ(consumer_log.records[0].header.probe_row, 17u);
  EXPECT_EQ(consumer_log.records[1].header.clause, 2u);
  EXPECT_EQ(consumer_log.records[1].header.probe_row, 9u);
  EXPECT_EQ(consumer_log.finishes, 1);
  EXPECT_TRUE(consumer_log.has_printed_aggregations);
}

TEST_F(SessionTest, BeginReadsThisProcessAndTheWallClock) {
  ProgramPlan plan = make_plan();
  add_program(plan, "begin", begin_hook());
  add_program(plan, "tick", HookTimer{.period_ns = millisecond});
  add_program(plan, "end", end_hook());
  set_global(plan, global_limit, 1);
  ASSERT_TRUE(run(plan));
  ASSERT_EQ(consumer_log.values(1).size(), 1u);
  EXPECT_EQ(consumer_log.values(1)[0] >> 32, static_cast<uint64_t>(::getpid()));
  ASSERT_EQ(consumer_log.values(2).size(), 1u);
  timespec wall{}, up{};
  ::clock_gettime(CLOCK_REALTIME, &wall);
  ::clock_gettime(CLOCK_MONOTONIC, &up);
  EXPECT_NEAR(static_cast<double>(consumer_log.values(2)[0]) / 1e9, static_cast<double>(wall.tv_sec - up.tv_sec), 2);
}

TEST_F(SessionTest, TicksFireUntilExit) {
  ProgramPlan plan = make_plan();
  add_program(plan, "tick", HookTimer{.period_ns = 2 * millisecond}, 4);
  set_global(plan, global_limit, 10);
  set_global(plan, global_status, 42);
  auto start = std::chrono::steady_clock::now();
  auto result = run(plan);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->exit_status, 42);
  std::vector<uint64_t> expected(10);
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(consumer_log.values(3), expected);
  EXPECT_EQ(consumer_log.records[0].header.probe_row, 4u);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds{20});
}

TEST_F(SessionTest, DropsAreCountedExactly) {
  constexpr uint64_t wanted = 1000;
  ProgramPlan plan = make_plan(4096);
  add_program(plan, "burst", begin_hook());
  set_global(plan, global_limit, wanted);
  // BEGIN fills the ring buffer. The consumer sees its first record after BEGIN has ended.
  consumer_log.on_record = [](const TestRecord& record) {
    if (record.value == 0) ::raise(SIGTERM);
  };
  ASSERT_TRUE(run(plan));
  uint64_t drops = 0;
  for (const ds_counters& cpu : consumer_log.drops) drops += cpu.record_drops;
  uint64_t received = consumer_log.values(4).size();
  EXPECT_EQ(received + drops, wanted);
  EXPECT_GE(received, 4096 / (sizeof(TestRecord) + 8) - 1);
  // The records before the first drop arrive in order.
  for (uint64_t i = 0; i < received; ++i) ASSERT_EQ(consumer_log.values(4)[i], i);
}

TEST_F(SessionTest, DiscardedRecordsAreSkipped) {
  ProgramPlan plan = make_plan();
  add_program(plan, "discards", begin_hook());
  add_program(plan, "begin_exits", begin_hook());
  ASSERT_TRUE(run(plan));
  EXPECT_EQ(consumer_log.values(5), (std::vector<uint64_t>{1, 2}));
}

TEST_F(SessionTest, SignalEndsTheRunAndEndFires) {
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    consumer_log = {};
    ProgramPlan plan = make_plan();
    add_program(plan, "tick", HookTimer{.period_ns = millisecond});
    add_program(plan, "end", end_hook());
    consumer_log.on_record = [=](const TestRecord& record) {
      if (record.header.clause == 3 && record.value == 1) ::raise(signal_number);
    };
    auto result = run(plan);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exit_status, 0);
    EXPECT_EQ(consumer_log.interruptions, 1);
    EXPECT_EQ(consumer_log.values(2).size(), 1u);
    EXPECT_TRUE(consumer_log.has_printed_aggregations);
  }
}

TEST_F(SessionTest, SecondSignalEndsLookupsOnly) {
  ProgramPlan plan = make_plan();
  add_program(plan, "tick", HookTimer{.period_ns = millisecond});
  add_program(plan, "end", end_hook());
  // No third signal: the second restores the default action.
  consumer_log.on_record = [](const TestRecord&) {
    if (consumer_log.records.size() != 1) return;
    ::raise(SIGINT);
    ::raise(SIGINT);
  };
  bool was_interrupted = false;
  consumer_log.on_finish = [&] { was_interrupted = is_interrupted; };
  auto result = run(plan);
  ASSERT_TRUE(result);
  EXPECT_TRUE(was_interrupted);
  EXPECT_EQ(consumer_log.values(2).size(), 1u);  // END
  EXPECT_TRUE(consumer_log.has_printed_aggregations);
  EXPECT_EQ(consumer_log.finishes, 1);
}

// A record that cannot be printed costs only itself.
TEST_F(SessionTest, RunGoesOnAfterAnExceptionInTheConsumer) {
  ProgramPlan plan = make_plan();
  add_program(plan, "tick", HookTimer{.period_ns = millisecond});
  add_program(plan, "end", end_hook());
  consumer_log.on_record = [](const TestRecord& record) {
    if (record.header.clause != 3) return;
    if (record.value == 3) ::raise(SIGINT);
    throw std::bad_alloc();
  };
  auto result = run(plan);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_GE(consumer_log.values(3).size(), 3u);
  EXPECT_EQ(consumer_log.values(2).size(), 1u);  // END
  EXPECT_TRUE(consumer_log.has_printed_aggregations);
  EXPECT_NE(messages_.text.find("cannot print a record: out of memory\n"), std::string::npos) << messages_.text;
  EXPECT_NE(messages_.text.find(" records could not be printed\n"), std::string::npos) << messages_.text;
}

// The run ends with an error, but prints what it has.
TEST_F(SessionTest, FailedLoopStillPrints) {
  ProgramPlan plan = make_plan();
  add_program(plan, "tick", HookTimer{.period_ns = millisecond});
  add_program(plan, "end", end_hook());
  plan.options.set_number(OptionId::Statusrate, 1);
  consumer_log.on_drops = [] {
    if (consumer_log.finishes == 0 && consumer_log.values(2).empty()) throw std::runtime_error("broken stream");
  };
  auto result = run(plan);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "unexpected failure: broken stream");
  EXPECT_EQ(consumer_log.values(2).size(), 1u);  // END
  EXPECT_TRUE(consumer_log.has_printed_aggregations);
}

TEST_F(SessionTest, IgnoredSignalsStayIgnored) {
  ::signal(SIGINT, SIG_IGN);
  ProgramPlan plan = make_plan();
  add_program(plan, "tick", HookTimer{.period_ns = millisecond});
  set_global(plan, global_limit, 5);
  consumer_log.on_record = [](const TestRecord&) { ::raise(SIGINT); };
  ASSERT_TRUE(run(plan));
  ::signal(SIGINT, SIG_DFL);
  EXPECT_EQ(consumer_log.values(3).size(), 5u);
  EXPECT_EQ(consumer_log.interruptions, 0);
}

TEST_F(SessionTest, ClosedPipeEndsQuietly) {
  ProgramPlan plan = make_plan();
  add_program(plan, "tick", HookTimer{.period_ns = millisecond});
  consumer_log.on_record = [this](const TestRecord&) { out_.error_number = EPIPE; };
  auto result = run(plan);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_status, 1);
}

TEST_F(SessionTest, FullDiskIsAnError) {
  ProgramPlan plan = make_plan();
  add_program(plan, "tick", HookTimer{.period_ns = millisecond});
  consumer_log.on_record = [this](const TestRecord&) { out_.error_number = ENOSPC; };
  auto result = run(plan);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "cannot write the output: No space left on device");
}

TEST_F(SessionTest, RecordsLargerThanTheBufferAreRejected) {
  ProgramPlan plan = make_plan(64);
  plan.clauses.push_back({.has_record = true, .record_size = 64});
  add_program(plan, "begin", begin_hook());
  auto result = run(plan);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "Enabling exceeds size of buffer");
}

// A consumer that keeps up loses nothing, however often the ring buffer fills. Also measures the consumer's speed.
TEST_F(SessionTest, ManyRecordsAreDeliveredWithoutLoss) {
  constexpr uint64_t per_tick = 20000;
  ProgramPlan plan = make_plan(4 << 20);
  add_program(plan, "burst_tick", HookTimer{.period_ns = 5 * millisecond});
  set_global(plan, global_limit, per_tick);
  consumer_log.keeps_records = false;
  timespec start{}, stop{};
  uint64_t& count = consumer_log.count;
  consumer_log.on_finish = [&] { ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stop); };
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  // A timer of this process ends the run by SIGTERM.
  timer_t timer{};
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGTERM;
  ASSERT_EQ(::timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
  itimerspec after{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = 500'000'000}};
  ::timer_settime(timer, 0, &after, nullptr);
  auto result = run(plan);
  ::timer_delete(timer);
  ASSERT_TRUE(result) << result.error().message();
  uint64_t drops = 0;
  for (const ds_counters& cpu : consumer_log.drops) drops += cpu.record_drops;
  EXPECT_EQ((count + drops) % per_tick, 0u);
  double seconds =
      static_cast<double>(stop.tv_sec - start.tv_sec) + static_cast<double>(stop.tv_nsec - start.tv_nsec) / 1e9;
  std::printf("%lu records, %lu drops, %.1f M records per CPU second (production included)\n", count, drops,
              static_cast<double>(count) / seconds / 1e6);
}

}  // namespace
}  // namespace dscope::testing
