// Whole replays over canned captures: compiler, native code, native runtime and consumer.
#include "driver/replay/capture_replay.h"

#include <gtest/gtest.h>

#include "tests/unit/driver/replay/canned_capture.h"

namespace dscope {
namespace {

constexpr uint32_t entered = 0, returned = 1, wakeup = 2;

TEST(CaptureReplay, CountsByThreadAndProbe) {
  auto capture = canned_capture();
  capture->events = {{.time = 1, .probe = entered, .cpu = 0, .thread = 0},
                     {.time = 2, .probe = entered, .cpu = 1, .thread = 0},
                     {.time = 3, .probe = returned, .cpu = 1, .thread = 1}};
  ReplayOutcome outcome = replay_text(
      std::move(capture), "syscall::: { @[execname, probename] = count(); } END { printa(\"%s %s %@d\\n\", @); }");
  EXPECT_EQ(outcome.out, "sh return 1\ncat entry 2\n") << outcome.problem;
  EXPECT_EQ(outcome.status, 0);
}

// A live run accepts the C library's names of system calls and other systems' names of the kernel.
TEST(CaptureReplay, DescriptionsMayUseOtherNames) {
  auto capture = canned_capture();
  capture->information.probes[entered].function = "umount";
  capture->events = {{.time = 1, .probe = entered, .cpu = 0, .thread = 0}};
  ReplayOutcome outcome = replay_text(std::move(capture),
                                      "syscall::umount2:entry { @[probefunc, 1] = count(); } "
                                      "syscall:genunix:umount2*:entry { @[probefunc, 2] = count(); } "
                                      "syscall::umount:entry { @[probefunc, 3] = count(); } "
                                      "END { printa(\"%s %d %@d\\n\", @); }");
  EXPECT_EQ(outcome.out, "umount 1 1\numount 2 1\numount 3 1\n") << outcome.problem;
}

TEST(CaptureReplay, ThreadLocalsConnectEventsOfAThread) {
  auto capture = canned_capture();
  capture->events = {{.time = 10, .probe = entered, .thread = 0, .words = {3, 0, 0}},
                     {.time = 14, .probe = entered, .thread = 1, .words = {4, 0, 0}},
                     {.time = 17, .probe = returned, .thread = 0, .words = {100, 100}},
                     {.time = 34, .probe = returned, .thread = 1, .words = {200, 200}}};
  ReplayOutcome outcome = replay_text(std::move(capture),
                                      "syscall::read:entry { self->t = timestamp; self->fd = arg0; } "
                                      "syscall::read:return /self->t/ { printf(\"%s %d %d "
                                      "%d\\n\", execname, self->fd, timestamp - self->t, arg1); self->t = 0; }");
  EXPECT_EQ(outcome.out, "cat 3 7 100\nsh 4 20 200\n") << outcome.problem;
}

TEST(CaptureReplay, BuiltInVariablesAreTheRecordedThreads) {
  auto capture = canned_capture();
  capture->events = {{.time = 2'000'000'000, .probe = returned, .cpu = 1, .thread = 0, .words = {0, 0}, .error = 4}};
  ReplayOutcome outcome = replay_text(std::move(capture),
                                      "syscall::read:return { printf(\"%d %d %d %d %d %d %d %s %d %d %d\", pid, tid, "
                                      "ppid, uid, gid, cpu, errno, execname, "
                                      "id, timestamp, walltimestamp); }");
  EXPECT_EQ(outcome.out, "10 11 1 1000 1000 1 4 cat 101 2000000000 2000000007") << outcome.problem;
}

// The processes that have fired before are known with their parents: 20 is a child of 10, and 10 of 1.
TEST(CaptureReplay, ProgenyofFollowsRecordedParents) {
  auto capture = canned_capture();
  capture->all_tables.threads.push_back(
      {.pid = 30, .tid = 31, .ppid = 20, .uid = 0, .gid = 0, .execname = "grandchild"});
  capture->all_tables.threads.push_back({.pid = 40, .tid = 40, .ppid = 40, .uid = 0, .gid = 0, .execname = "circle"});
  for (uint32_t i = 0; i < 4; ++i) capture->events.push_back({.time = i + 1, .probe = entered, .cpu = 0, .thread = i});
  ReplayOutcome outcome =
      replay_text(std::move(capture),
                  "syscall:::entry { printf(\"%d %d %d %d\\n\", pid, progenyof(10), progenyof(pid), progenyof(1)); }");
  EXPECT_EQ(outcome.out, "10 1 1 1\n20 1 1 1\n30 1 1 1\n40 0 1 0\n") << outcome.problem;
}

TEST(CaptureReplay, RowsHaveTheDatesOfTheRecording) {
  auto capture = canned_capture();
  capture->events = {{.time = 2'000'000'000, .probe = returned, .thread = 0, .words = {0, 0}}};
  ReplayOutcome outcome =
      replay_text(std::move(capture), "#pragma D option format=json\nsyscall::read:return { trace(1); }");
  EXPECT_NE(outcome.out.find("\"timestamp\":2000000007"), std::string::npos) << outcome.out << outcome.problem;
}

// Clang compiles these for BPF with intrinsics of that processor.
TEST(CaptureReplay, NumbersAreConvertedToStringsAndBack) {
  ReplayOutcome outcome =
      replay_text(canned_capture(),
                  "BEGIN { printf(\"%s %s %d %d\", lltostr(-255), lltostr(255, 16), strtoll(\"-12z\"), "
                  "strtoll(\"0xff\", 16)); }");
  EXPECT_EQ(outcome.out, "-255 0xff -12 255") << outcome.problem;
}

TEST(CaptureReplay, ReturnsSeeTheStringsOfTheirEntry) {
  constexpr uint64_t path = 0x7ffd'0000'1000;
  auto capture = canned_capture();
  capture->events = {
      {.time = 1, .probe = entered, .thread = 0, .words = {path, 0, 0}, .memory = {{path, std::string("/etc\0", 5)}}},
      {.time = 2, .probe = entered, .thread = 1, .words = {path, 0, 0}, .memory = {{path, std::string("/tmp\0", 5)}}},
      {.time = 3, .probe = returned, .thread = 0, .words = {0, 0}},
      {.time = 4, .probe = returned, .thread = 1, .words = {0, 0}}};
  ReplayOutcome outcome =
      replay_text(std::move(capture),
                  "syscall::read:entry { self->p = arg0; } syscall::read:return { printf(\"%s %s\\n\", "
                  "execname, copyinstr(self->p)); }");
  EXPECT_EQ(outcome.out, "cat /etc\nsh /tmp\n") << outcome.problem;
}

TEST(CaptureReplay, TranslatedArgumentsAreObjectsOfTheEvent) {
  std::string object(24, '\0');
  object[0] = 77;
  object.replace(8, 4, "make");
  auto capture = canned_capture();
  capture->events = {{.time = 1,
                      .probe = wakeup,
                      .thread = 0,
                      .words = {captured_object_address(0)},
                      .memory = {{captured_object_address(0), object}}}};
  ReplayOutcome outcome =
      replay_text(std::move(capture), "sched:::wakeup { printf(\"%d %s\", args[0]->pr_pid, args[0]->pr_fname); }");
  EXPECT_EQ(outcome.out, "77 make") << outcome.problem;
}

TEST(CaptureReplay, TicksFollowRecordedTime) {
  auto capture = canned_capture();
  capture->events = {{.time = 1'500'000'000, .probe = entered},
                     {.time = 2'500'000'000, .probe = entered},
                     {.time = 2'600'000'000, .probe = entered}};
  ReplayOutcome outcome = replay_text(std::move(capture),
                                      "BEGIN { printf(\"%d\\n\", timestamp); } syscall::read:entry { n++; } "
                                      "profile:::tick-1s { printf(\"%d: %d\\n\", timestamp, n); }"
                                      "END { printf(\"%d\\n\", timestamp); }");
  EXPECT_EQ(outcome.out, "1000000000\n2000000000: 1\n3000000000: 3\n4000000000: 3\n5000000000: 3\n5000000000\n")
      << outcome.problem;
}

// The machine may have started anew between them.
TEST(CaptureReplay, RecordingsHaveClocksOfTheirOwn) {
  auto capture = canned_capture();
  capture->information.recordings.push_back({.begin = 500, .end = 1'000'000'600, .boot_to_wall_ns = 900});
  capture->information.recordings.push_back({.begin = 0, .end = 1'000'000'000, .boot_to_wall_ns = 0});
  capture->events = {{.time = 4'500'000'000, .probe = entered}, {.time = 1'000, .probe = entered, .recording = 1}};
  ReplayOutcome outcome = replay_text(std::move(capture),
                                      "syscall::read:entry { printf(\"%d %d\\n\", timestamp, walltimestamp); } "
                                      "profile:::tick-1s { printf(\"tick %d\\n\", timestamp); }"
                                      "END { printf(\"%d\\n\", timestamp); }");
  EXPECT_EQ(outcome.out,
            "tick 2000000000\ntick 3000000000\ntick 4000000000\n4500000000 4500000007\ntick 5000000000\n"
            "1000 1900\ntick 1000000500\ntick 1000000000\n1000000000\n")
      << outcome.problem;
}

TEST(CaptureReplay, DurationCountsTheTimeOfAllRecordings) {
  auto capture = canned_capture();
  capture->information.recordings.push_back({.begin = 0, .end = 9'000'000'000, .boot_to_wall_ns = 0});
  capture->events = {{.time = 2'000'000'000, .probe = entered},
                     {.time = 500'000'000, .probe = entered, .recording = 1},
                     {.time = 1'500'000'000, .probe = entered, .recording = 1}};
  ReplayOutcome outcome =
      replay_text(std::move(capture),
                  "#pragma D option duration=5s\nsyscall::read:entry { printf(\"%d\\n\", timestamp); } "
                  "END { printf(\"%d\\n\", timestamp); }");
  EXPECT_EQ(outcome.out, "2000000000\n500000000\n1000000000\n") << outcome.problem;
}

TEST(CaptureReplay, ExitEndsTheReplay) {
  auto capture = canned_capture();
  for (uint64_t i = 0; i < 100; ++i) capture->events.push_back({.time = i, .probe = entered});
  ReplayOutcome outcome = replay_text(
      std::move(capture), "syscall::read:entry { n++; } syscall::read:entry /n == 3/ { exit(5); } END { trace(n); }");
  EXPECT_EQ(outcome.out, "3") << outcome.problem;
  EXPECT_EQ(outcome.status, 5);
}

TEST(CaptureReplay, ClearAndPrintaSeeExactlyWhatCameBefore) {
  auto capture = canned_capture();
  for (uint64_t second = 1; second <= 3; ++second)
    for (uint64_t i = 0; i < second; ++i)
      capture->events.push_back({.time = second * 1'000'000'000 + 1 + i, .probe = entered});
  ReplayOutcome outcome = replay_text(std::move(capture),
                                      "syscall::read:entry { @ = count(); } profile:::tick-1s { printa(\"%@d\\n\", @); "
                                      "clear(@); }");
  EXPECT_EQ(outcome.out, "1\n2\n3\n0\n") << outcome.problem;
}

TEST(CaptureReplay, SpeculationsAndAggregationsWork) {
  auto capture = canned_capture();
  for (uint64_t i = 0; i < 6; ++i) {
    capture->events.push_back({.time = 2 * i, .probe = entered, .words = {i, 0, 0}});
    capture->events.push_back({.time = 2 * i + 1, .probe = returned, .words = {i, i}});
  }
  ReplayOutcome outcome =
      replay_text(std::move(capture),
                  "syscall::read:entry { self->s = speculation(); } syscall::read:entry /self->s/ { "
                  "speculate(self->s); printf(\"in "
                  "%d\\n\", arg0); } syscall::read:return /self->s && arg0 % 2/ { commit(self->s); self->s = 0; } "
                  "syscall::read:return /self->s/ { discard(self->s); self->s = 0; }");
  EXPECT_EQ(outcome.out, "in 1\nin 3\nin 5\n") << outcome.problem;
}

// ---- what the file does not hold

std::string refusal(const std::string& program, std::vector<CapturePart> parts = {CapturePart::Args}) {
  auto capture = canned_capture();
  capture->information.parts = std::move(parts);
  testing::internal::CaptureStderr();
  ReplayOutcome outcome = replay_text(std::move(capture), program, {"diagnostics=full"});
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.status, 0);
  return text + outcome.problem;
}

TEST(CaptureReplay, NamesTheRecordOptionThatWouldHaveKeptIt) {
  std::string text = refusal("syscall::read:entry { @[stack()] = count(); }");
  EXPECT_NE(text.find("stack is not in the capture: it holds no stacks"), std::string::npos) << text;
  EXPECT_NE(text.find("-x record=args,strings,stacks"), std::string::npos) << text;
  text = refusal("syscall::read:entry { trace(copyinstr(arg1)); }");
  EXPECT_NE(text.find("it holds no user memory"), std::string::npos) << text;
  text = refusal("syscall::write:entry { n++; }");
  EXPECT_NE(text.find("does not match any probes"), std::string::npos) << text;
  EXPECT_NE(text.find("syscall::read:, sched:::wakeup"), std::string::npos) << text;
}

TEST(CaptureReplay, RefusesWhatNoCaptureHolds) {
  std::string text = refusal("syscall::read:entry { trace(curthread->pid); }");
  EXPECT_NE(text.find("curthread"), std::string::npos) << text;
  text = refusal("#pragma D option destructive\nsyscall::read:entry { raise(9); }");
  EXPECT_NE(text.find("cannot be replayed"), std::string::npos) << text;
}

// A read of memory that the event does not hold faults, as it would in the kernel.
TEST(CaptureReplay, AbsentMemoryIsAFault) {
  auto capture = canned_capture();
  capture->events = {{.time = 1, .probe = entered, .words = {0x1000, 0, 0}}};
  testing::internal::CaptureStderr();
  ReplayOutcome outcome = replay_text(
      std::move(capture), "syscall::read:entry { printf(\"%s\", copyinstr(arg0)); } ERROR { printf(\"%x\", arg5); }");
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(outcome.out, "1000") << outcome.problem;
  EXPECT_NE(text.find("invalid address (0x1000)"), std::string::npos) << text;
}

TEST(CaptureReplay, DamagedNumbersReachNoOtherMemory) {
  auto capture = canned_capture();
  capture->information.probes[0].arg_count = 4'000'000'000;
  capture->information.facts.cpu_count = 4'000'000'000;
  capture->events = {{.time = 1,
                      .probe = entered,
                      .cpu = 4'000'000'000,
                      .thread = 99,
                      .words = std::vector<uint64_t>(5000, 7),
                      .kernel_stack = 77,
                      .user_stack = 88},
                     {.time = 2, .probe = 1234}};
  ReplayOutcome outcome =
      replay_text(std::move(capture), "syscall::read:entry { @ = sum(arg2); } END { printa(\"%@d\", @); }");
  EXPECT_EQ(outcome.out, "7") << outcome.problem;
}

}  // namespace
}  // namespace dscope
