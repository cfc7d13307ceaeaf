// perf.data files become captures: probes, arguments, threads, stacks; damaged files give what is complete.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "capture/capture_reader.h"
#include "import/import_formats.h"
#include "support/format.h"
#include "tests/unit/import/made_perf_data.h"

namespace dscope {
namespace {

constexpr const char* switch_fields =
    "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
    "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
    "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n";
constexpr const char* enter_fields =
    "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
    "\tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;\n"
    "\tfield:char * buf;\toffset:24;\tsize:8;\tsigned:0;\n";
constexpr const char* exit_fields =
    "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
    "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n";
constexpr const char* exec_fields =
    "\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n"
    "\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n";

std::string switch_record(const std::string& next, int32_t pid, int64_t state) {
  return bytes_of(uint64_t{0}) + padded("cat", 16) + bytes_of(int32_t{101}, 0U, state) + padded(next, 16) +
         bytes_of(pid, int32_t{120});
}

// A shell, pid 100, which forked cat, 101; the kernel's clock; an error.
MadePerfData small_file() {
  MadePerfData made;
  uint32_t switched = made.add_tracepoint("sched", "sched_switch", 300, switch_fields);
  uint32_t entered = made.add_tracepoint("syscalls", "sys_enter_read", 301, enter_fields);
  uint32_t exited = made.add_tracepoint("syscalls", "sys_exit_read", 302, exit_fields);
  uint32_t executed = made.add_tracepoint("sched", "sched_process_exec", 303, exec_fields);
  uint32_t clock = made.add_clock(997);
  made.add_name(100, 100, "sh");
  made.add_fork(100, 101, 101);
  made.add_name(101, 101, "cat");
  made.add_mapping(101, 0x400000, 0x2000, "/bin/cat");
  // Not in the order of time, as the buffers of two CPUs.
  made.add_sample(exited, 3000, 101, 101, 1, bytes_of(uint64_t{0}, 0, 0, int64_t{-2}));
  made.add_sample(entered, 2000, 101, 101, 1, bytes_of(uint64_t{0}, 0, 0, uint64_t{0xffffffff}, uint64_t{0x7000}));
  made.add_sample(switched, 4000, 101, 101, 1, switch_record("sh", 100, 1));
  made.add_sample(executed, 1000, 101, 101, 1, bytes_of(uint64_t{0}, (9U << 16) + 16, 101) + padded("/bin/cat", 9));
  made.add_losses(7);
  made.add_sample(clock, 5000, 101, 101, 0,
                  bytes_of(static_cast<uint64_t>(-128), uint64_t{0xffffffff81000010}, static_cast<uint64_t>(-512),
                           uint64_t{0x401000}, uint64_t{0x401100}),
                  1, 0xffffffff81000010);
  return made;
}

struct Imported {
  std::unique_ptr<CaptureReader> reader;
  std::string problem, damage;
};

Imported import(const std::string& file) {
  int fd = ::memfd_create("capture", MFD_CLOEXEC);
  auto report = import_perf_data(file, 1'000'000'000'000, Fd(::dup(fd)));
  Imported result;
  if (!report) result.problem = report.error().message();
  else {
    result.damage = report->damage;
    auto reader = CaptureReader::open(fmt::format("/proc/self/fd/{}", fd));
    EXPECT_TRUE(reader) << reader.error().message();
    if (reader) result.reader = std::move(*reader);
  }
  ::close(fd);
  return result;
}

std::string name_of(const CapturedProbe& probe) {
  return fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
}

// "sched:::on-cpu sh 100" in the order of the capture.
std::vector<std::string> events_of(CaptureReader& reader) {
  std::vector<std::string> events;
  CaptureBatch batch;
  while (reader.next(batch))
    for (const CaptureEvent& event : batch.events) {
      const CapturedThread& thread = reader.tables().threads[event.thread];
      events.push_back(fmt::format("{} {} {} {} {}", event.time, name_of(reader.info().probes[event.probe]),
                                   thread.execname, thread.pid, thread.ppid));
    }
  return events;
}

TEST(PerfImport, OrdersEventsAndDerivesProbes) {
  Imported imported = import(small_file().file());
  ASSERT_EQ(imported.problem, "");
  EXPECT_EQ(imported.damage, "");
  EXPECT_EQ(events_of(*imported.reader), (std::vector<std::string>{
                                             "1000 sdt:sched::sched_process_exec cat 101 100",
                                             "1000 proc:::exec-success cat 101 100",
                                             "2000 syscall:vmlinux:read:entry cat 101 100",
                                             "3000 syscall:vmlinux:read:return cat 101 100",
                                             "4000 sdt:sched::sched_switch cat 101 100",
                                             "4000 sched:::sleep cat 101 100",
                                             "4000 sched:::off-cpu cat 101 100",
                                             "4000 sched:::on-cpu sh 100 0",
                                             "5000 profile:::profile-997 cat 101 100",
                                         }));
}

TEST(PerfImport, KeepsValues) {
  Imported imported = import(small_file().file());
  ASSERT_TRUE(imported.reader);
  CaptureBatch batch;
  std::map<std::string, CaptureEvent> events;
  ASSERT_TRUE(imported.reader->next(batch));
  for (const CaptureEvent& event : batch.events) events[name_of(imported.reader->info().probes[event.probe])] = event;
  auto text_at = [&](const CaptureEvent& event, uint32_t word) {
    for (const CapturedMemory& memory : event.memory)
      if (memory.address == event.words[word]) return std::string(reinterpret_cast<const char*>(memory.bytes.data()));
    return std::string("?");
  };
  const CaptureEvent& entry = events["syscall:vmlinux:read:entry"];
  EXPECT_EQ(entry.words[0], 0xffffffffU);  // of type unsigned int
  EXPECT_EQ(entry.words[1], 0x7000U);
  const CaptureEvent& exit = events["syscall:vmlinux:read:return"];
  EXPECT_EQ(static_cast<int64_t>(exit.words[0]), -2);
  EXPECT_EQ(exit.error, 2);
  EXPECT_EQ(text_at(events["sdt:sched::sched_switch"], 0), "cat");
  EXPECT_EQ(text_at(events["sdt:sched::sched_process_exec"], 0), "/bin/cat");
  const CaptureEvent& sample = events["profile:::profile-997"];
  EXPECT_EQ(sample.words[0], 0xffffffff81000010U);
  EXPECT_EQ(sample.words[1], 0U);
  EXPECT_EQ(imported.reader->tables().stacks[sample.user_stack], (std::vector<uint64_t>{0x401000, 0x401100}));
}

TEST(PerfImport, DescribesTheMachine) {
  Imported imported = import(small_file().file());
  ASSERT_TRUE(imported.reader);
  const CaptureInfo& info = imported.reader->info();
  EXPECT_EQ(info.source, "perf.data");
  EXPECT_EQ(info.descriptions, std::vector<std::string>{"perf record"});
  EXPECT_EQ(info.facts.kernel_release, "6.18.0-made");
  EXPECT_EQ(info.facts.cpu_count, 2U);
  EXPECT_EQ(info.lost_events, (std::vector<uint64_t>{0, 7}));
  ASSERT_EQ(info.objects.size(), 1U);
  EXPECT_EQ(info.objects.front().path, "/bin/cat");
  auto entry = std::ranges::find(info.probes, "syscall", &CapturedProbe::provider);
  ASSERT_NE(entry, info.probes.end());
  EXPECT_EQ(entry->args[0].type_text, "unsigned int");
  EXPECT_EQ(entry->args[1].name, "buf");
}

// perf's totals include what the kernel recorded. They may exceed it: the kernel records no losses at the end of a
// buffer.
TEST(PerfImport, CountsLossesOnce) {
  MadePerfData perf = small_file();  // the kernel recorded 7 losses on CPU 1
  perf.add_total_losses(7);
  Imported same = import(perf.file());
  ASSERT_TRUE(same.reader);
  EXPECT_EQ(same.reader->info().lost_events, (std::vector<uint64_t>{0, 7}));
  perf.add_total_losses(3);
  Imported more = import(perf.file());
  ASSERT_TRUE(more.reader);
  EXPECT_EQ(more.reader->info().lost_events, (std::vector<uint64_t>{3, 7}));
}

TEST(PerfImport, RawSystemCallsArePairsOfProbes) {
  MadePerfData made;
  uint32_t entered = made.add_tracepoint("raw_syscalls", "sys_enter", 20,
                                         "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
                                         "\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n");
  made.add_sample(entered, 10, 5, 5, 0,
                  bytes_of(uint64_t{0}, int64_t{1}, uint64_t{3}, uint64_t{0x5000}, uint64_t{8}, uint64_t{0},
                           uint64_t{0}, uint64_t{0}));
  Imported imported = import(made.file());
  ASSERT_TRUE(imported.reader);
  EXPECT_EQ(events_of(*imported.reader), std::vector<std::string>{"10 syscall:vmlinux:write:entry  5 0"});
}

// Whatever is cut off, the import ends, with what is complete or with a sentence.
TEST(PerfImport, SurvivesEveryCut) {
  std::string file = small_file().file();
  for (size_t size = 0; size < file.size(); size += 3) {
    Imported imported = import(file.substr(0, size));
    EXPECT_TRUE(!imported.problem.empty() || !imported.damage.empty()) << size;
  }
}

TEST(PerfImport, ReadsCompressedRecords) {
  MadePerfData made = small_file();
  Imported plain = import(made.file());
  made.compress();
  Imported compressed = import(made.file());
  ASSERT_TRUE(compressed.reader) << compressed.problem;
  EXPECT_EQ(compressed.damage, "");
  EXPECT_EQ(events_of(*compressed.reader), events_of(*plain.reader));
}

TEST(PerfImport, SurvivesDamagedCompression) {
  MadePerfData made = small_file();
  made.compress();
  std::string file = made.file();
  size_t damaged = 0;
  for (size_t at = 0; at < file.size(); at += 5) {
    std::string copy = file;
    copy[at] = static_cast<char>(copy[at] ^ 0x55);
    Imported imported = import(copy);
    damaged += imported.problem.empty() && imported.damage.empty() ? 0 : 1;
  }
  EXPECT_GT(damaged, 0U);
}

TEST(PerfImport, RejectsOtherKinds) {
  EXPECT_EQ(import("PERFILE2" + bytes_of(uint64_t{16})).problem, "it was written to a pipe by `perf record -o -`");
  EXPECT_EQ(import("2ELIFREP").problem, "it is no perf.data file of this machine's byte order");
}

}  // namespace
}  // namespace dscope
