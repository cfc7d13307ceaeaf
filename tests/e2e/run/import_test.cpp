// --replay over files of other tracers: what D counts is what the tools of those tracers print.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "../e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

using Counts = std::map<std::string, int>;

class ImportTest : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_UNLESS_TRACING(); }
  ImportTest() {
    char path[] = "/tmp/dscope_import_XXXXXX";
    folder_ = ::mkdtemp(path);
  }
  ~ImportTest() override { fs::remove_all(folder_); }

  std::string file(const char* name) const { return folder_ / name; }

  static bool has(const char* program) { return run({"sh", "-c", std::string("command -v ") + program}).status == 0; }

  static Outcome checked(const std::vector<std::string>& arguments) {
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments.front() << ": " << outcome.err;
    return outcome;
  }

  // 300 reads and writes, and a fork. The buffers hold all events: perf loses some with its default of 512 KiB a CPU if
  // it is scheduled late.
  void record_with_perf(const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"perf", "record", "-q", "-m", "8M", "-o", file("perf.data")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    for (const char* word : {"--", "sh", "-c", "dd if=/dev/zero of=/dev/null bs=1 count=300 2>/dev/null; true"})
      arguments.emplace_back(word);
    checked(arguments);
  }

  // The counts of a D program whose keys are words: "a b c N".
  static Counts replayed(const std::string& recording, const std::string& program) {
    Outcome outcome = dscope({"-q", "--replay=" + recording, "-n", program});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return counts_in(outcome.out);
  }
  static Counts counts_in(const std::string& text) {
    Counts counts;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string key, word;
      int count = 0;
      while (words >> word) {
        if (!words.eof() && words.peek() != EOF) key += (key.empty() ? "" : " ") + word;
        else count = std::atoi(word.c_str());
      }
      if (!key.empty()) counts[key] = count;
    }
    return counts;
  }
  // The counts of the lines that a shell pipeline prints.
  static Counts counted_by(const std::string& pipeline) {
    Outcome outcome = run({"bash", "-c", pipeline + " | sort | uniq -c | awk '{ print $2, $1 }'"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return counts_in(outcome.out);
  }

  fs::path folder_;
};

TEST_F(ImportTest, CountsTracepointsAsPerfScriptDoes) {
  if (!has("perf")) GTEST_SKIP() << "perf is not installed";
  record_with_perf({"-e", "syscalls:sys_enter_read,syscalls:sys_exit_read,syscalls:sys_enter_write", "-e",
                    "sched:sched_switch,sched:sched_process_fork"});
  Counts expected =
      counted_by("perf script -F event -i " + file("perf.data") + " 2>/dev/null | tr -d ' ' | sed 's/:$//'");
  ASSERT_GE(expected["syscalls:sys_enter_read"], 300);
  Counts counts = replayed(file("perf.data"),
                           "syscall::read:entry { @[\"syscalls:sys_enter_read\"] = count(); }"
                           "syscall::read:return { @[\"syscalls:sys_exit_read\"] = count(); }"
                           "syscall::write:entry { @[\"syscalls:sys_enter_write\"] = count(); }"
                           "sdt:sched::sched_switch { @[\"sched:sched_switch\"] = count(); }"
                           "sdt:sched::sched_process_fork { @[\"sched:sched_process_fork\"] = count(); }");
  EXPECT_EQ(counts, expected);
}

TEST_F(ImportTest, AnswersDAboutThreadsAndArguments) {
  if (!has("perf")) GTEST_SKIP() << "perf is not installed";
  record_with_perf({"-e", "raw_syscalls:*"});
  Counts counts =
      replayed(file("perf.data"),
               "syscall::read:entry /execname == \"dd\" && arg2 == 1/ { self->fd = args[0] + 1; }"
               "syscall::read:return /self->fd/ { @[execname, self->fd - 1, errno] = count(); self->fd = 0; }");
  EXPECT_EQ(counts, (Counts{{"dd 0 0", 300}}));
}

TEST_F(ImportTest, SamplesAreFiringsOfProfile) {
  if (!has("perf")) GTEST_SKIP() << "perf is not installed";
  record_with_perf({"-e", "cpu-clock", "-F", "1999", "-g"});
  Counts expected = counted_by("perf script -F event -i " + file("perf.data") +
                               " 2>/dev/null | grep -o 'cpu-clock' | sed 's/$/ all/' | awk '{ print $1 }'");
  Counts counts = replayed(file("perf.data"),
                           "profile-1999 { @[\"cpu-clock\"] = count(); } profile-1999 { @s[stack()] = count(); }"
                           "END { trunc(@s); }");
  EXPECT_EQ(counts, expected);
}

// The compression of perf is an option of its build.
TEST_F(ImportTest, ReadsCompressedFiles) {
  if (!has("perf")) GTEST_SKIP() << "perf is not installed";
  if (run({"perf", "record", "-q", "-z", "-o", file("perf.data"), "-e", "raw_syscalls:sys_enter", "--", "true"})
          .status != 0)
    GTEST_SKIP() << "perf cannot compress";
  record_with_perf({"-z", "-e", "raw_syscalls:*"});
  Counts counts = replayed(file("perf.data"),
                           "syscall::read:return /execname == \"dd\" && arg1 == 1/ { @[execname, errno] = count(); }");
  EXPECT_EQ(counts, (Counts{{"dd 0", 300}}));
}

TEST_F(ImportTest, CopiesOfUserStacksAreNoStacks) {
  if (!has("perf")) GTEST_SKIP() << "perf is not installed";
  record_with_perf({"-e", "raw_syscalls:sys_enter", "--call-graph", "dwarf,512"});
  Counts counts =
      replayed(file("perf.data"), "syscall::read:entry /execname == \"dd\" && arg2 == 1/ { @[execname] = count(); }");
  EXPECT_EQ(counts, (Counts{{"dd", 300}}));
  Outcome outcome = dscope({"--replay=" + file("perf.data"), "-n", "syscall::read:entry { ustack(); }"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("ustack is not in the capture"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--call-graph dwarf"), std::string::npos) << outcome.err;
}

TEST_F(ImportTest, ListsProbesWithTheirArguments) {
  if (!has("perf")) GTEST_SKIP() << "perf is not installed";
  record_with_perf({"-e", "sched:sched_switch,syscalls:sys_enter_read"});
  Outcome outcome = dscope({"--replay=" + file("perf.data"), "-lv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("sdt:sched::sched_switch"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("next_comm"), std::string::npos) << outcome.out;
  outcome = dscope({"--replay=" + file("perf.data"), "-l", "-n", "syscall::read:entry"});
  EXPECT_NE(outcome.out.find(" read entry\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("sched_switch"), std::string::npos) << outcome.out;
  outcome = dscope({"--info=" + file("perf.data")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("recording   perf.data, ")) << outcome.out;
  EXPECT_NE(outcome.out.find("  syscall:vmlinux:read:entry\n"), std::string::npos) << outcome.out;
  outcome = dscope({"--info=" + folder_.string()});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("no CTF trace"), std::string::npos) << outcome.err;
}

TEST_F(ImportTest, SaysWhatTheFileDoesNotHold) {
  if (!has("perf")) GTEST_SKIP() << "perf is not installed";
  record_with_perf({"-e", "sched:sched_switch"});
  auto message = [&](const std::string& program) {
    Outcome outcome = dscope({"--replay=" + file("perf.data"), "-n", program});
    EXPECT_EQ(outcome.status, 1);
    return outcome.err;
  };
  EXPECT_NE(message("sched:::on-cpu { trace(uid); }").find("uid is not in the capture: perf.data files do not hold it"),
            std::string::npos);
  EXPECT_NE(message("io:::start { trace(pid); }").find("perf.data has no such events"), std::string::npos);
  EXPECT_NE(message("sched:::on-cpu { stack(); }").find("it holds no stacks"), std::string::npos);
}

TEST_F(ImportTest, ReportsTheDamageOfFiles) {
  if (!has("perf")) GTEST_SKIP() << "perf is not installed";
  record_with_perf({"-e", "sched:sched_switch"});
  fs::resize_file(file("perf.data"), fs::file_size(file("perf.data")) / 2);
  Outcome outcome = dscope({"-q", "--replay=" + file("perf.data"), "-n", "BEGIN { trace(1); }"});
  EXPECT_NE(outcome.err.find("cut off"), std::string::npos) << outcome.err;
}

TEST_F(ImportTest, CountsCtfAsBabeltraceDoes) {
  if (!has("perf") || !has("babeltrace2")) GTEST_SKIP() << "perf or babeltrace2 is not installed";
  record_with_perf({"-e", "syscalls:sys_enter_read,sched:sched_switch"});
  if (run({"perf", "data", "convert", "--to-ctf", file("ctf"), "-i", file("perf.data")}).status != 0)
    GTEST_SKIP() << "perf was built without CTF";
  Counts expected =
      counted_by("babeltrace2 " + file("ctf") + " | grep -oE 'syscalls:sys_enter_read|sched:sched_switch'");
  ASSERT_GE(expected["syscalls:sys_enter_read"], 300);
  Counts counts = replayed(file("ctf"),
                           "syscall::read:entry { @[\"syscalls:sys_enter_read\"] = count(); }"
                           "sdt:sched::sched_switch { @[\"sched:sched_switch\"] = count(); }");
  EXPECT_EQ(counts, expected);
}

// Records the calls of malloc() and free() of a program. LTTng writes each kind of traced process below the folder of
// the session.
constexpr const char* lttng_session = R"(
set -e
daemon=
pgrep -x lttng-sessiond >/dev/null || { lttng-sessiond --daemonize --no-kernel; daemon=$(pgrep -x lttng-sessiond | head -n 1); }
session=dscope-$$
lttng create $session --output="$0"
lttng enable-event -u 'lttng_ust_libc:*'
lttng add-context -u -t vpid -t vtid -t procname
lttng start
LTTNG_UST_REGISTER_TIMEOUT=-1 LD_PRELOAD=liblttng-ust-libc-wrapper.so ls /usr/bin
lttng destroy $session
[ -z "$daemon" ] || kill $daemon
)";

TEST_F(ImportTest, CountsLttngSessionsAsBabeltraceDoes) {
  if (!has("lttng-sessiond") || !has("babeltrace2")) GTEST_SKIP() << "lttng-tools or babeltrace2 is not installed";
  checked({"bash", "-c", lttng_session, file("lttng")});
  Counts expected = counted_by("babeltrace2 " + file("lttng") + " | grep -oE 'lttng_ust_libc:[a-z]+'");
  ASSERT_GE(expected["lttng_ust_libc:malloc"], 100);
  Counts counts =
      replayed(file("lttng"),
               "sdt:lttng_ust_libc:: /execname == \"ls\"/ { @[strjoin(\"lttng_ust_libc:\", probename)] = count(); }");
  EXPECT_EQ(counts, expected);
}

// trace-cmd record writes a setting that some kernels refuse, so that the test enables the events itself: in an
// instance of its own.
class InstanceOfFtrace {
 public:
  InstanceOfFtrace() : name_("dscope_import_" + std::to_string(::getpid())) {
    is_made_ = fs::create_directory(path(), problem_);
  }
  ~InstanceOfFtrace() {
    if (fs::exists(path(), problem_)) fs::remove(path(), problem_);
  }
  bool is_made() const { return is_made_; }
  const std::string& name() const { return name_; }
  fs::path path() const { return fs::path("/sys/kernel/tracing/instances") / name_; }
  void write(const std::string& setting, const std::string& value) const { std::ofstream(path() / setting) << value; }

 private:
  std::string name_;
  bool is_made_ = false;
  std::error_code problem_;
};

TEST_F(ImportTest, CountsTraceDatAsTraceCmdDoes) {
  if (!has("trace-cmd")) GTEST_SKIP() << "trace-cmd is not installed";
  InstanceOfFtrace instance;
  if (!instance.is_made()) GTEST_SKIP() << "this kernel has no instances of ftrace";
  instance.write("trace_clock", "mono");
  instance.write("buffer_size_kb", "1024");
  // This process and those that it starts.
  instance.write("options/event-fork", "1");
  instance.write("set_event_pid", std::to_string(::getpid()));
  instance.write("events/sched/sched_switch/enable", "1");
  instance.write("events/raw_syscalls/enable", "1");
  auto record = [&] {
    instance.write("trace", "");
    instance.write("tracing_on", "1");
    checked({"dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=300", "status=none"});
    instance.write("tracing_on", "0");
    return run({"trace-cmd", "extract", "-B", instance.name(), "-o", file("trace.dat")});
  };
  // trace-cmd gives up if /proc/kallsyms grows while it is copied: whenever another test loads a program. The events
  // are gone then.
  Outcome outcome = record();
  for (int i = 0; i < 60 && outcome.err.find("error in size of file '/proc/kallsyms'") != std::string::npos; ++i)
    outcome = record();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  instance.write("events/sched/sched_switch/enable", "0");
  instance.write("events/raw_syscalls/enable", "0");
  Counts expected = counted_by("trace-cmd report " + file("trace.dat") +
                               " 2>/dev/null | grep -oE ': (sched_switch|sys_enter|sys_exit):' | tr -d ': '");
  ASSERT_GE(expected["sys_enter"], 600);
  Counts counts =
      replayed(file("trace.dat"),
               "syscall:::entry { @[\"sys_enter\"] = count(); } syscall:::return { @[\"sys_exit\"] = count(); }"
               "sdt:sched::sched_switch { @[\"sched_switch\"] = count(); }");
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(replayed(file("trace.dat"), "syscall::write:entry /arg0 == 1 && args[2] == 1/ { @[probefunc] = count(); }"),
            (Counts{{"write", 300}}));
}

}  // namespace
}  // namespace dscope::e2e
