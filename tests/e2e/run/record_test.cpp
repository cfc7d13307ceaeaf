// --record: what a recording keeps, the seconds before a snapshot, and copies without names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "../e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

class RecordTest : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_UNLESS_TRACING(); }
  RecordTest() {
    char path[] = "/tmp/dscope_record_XXXXXX";
    folder_ = ::mkdtemp(path);
  }
  ~RecordTest() override { fs::remove_all(folder_); }

  std::string file(const char* name) const { return folder_ / name; }
  std::string info(const char* name) const {
    Outcome outcome = dscope({"--info=" + file(name)});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }
  // dd writes `count` times one byte, then syncs the file.
  std::string writes(int count) const {
    return "dd if=/dev/zero of=" + file("data") + " bs=1 status=none conv=fsync count=" + std::to_string(count);
  }

  fs::path folder_;
};

// The writes of the command to its file, and nothing else.
constexpr const char* writes_of_dd = "syscall::write:entry /progenyof($target) && arg2 == 1/ {}";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(RecordTest, KeepsEveryEventOfAPredicate) {
  Outcome outcome = dscope({"--record=" + file("a.dcap"), "-n", writes_of_dd, "-c", writes(137)});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "\n");
  EXPECT_TRUE(has(outcome.err, "recorded 137 events")) << outcome.err;
  std::string text = info("a.dcap");
  EXPECT_TRUE(has(text, "format 1, 137 events")) << text;
  EXPECT_TRUE(has(text, "lost        0 events")) << text;
  EXPECT_TRUE(has(text, "         137  syscall:vmlinux:write:entry")) << text;
  EXPECT_TRUE(has(text, "         137  dd\n")) << text;
}

TEST_F(RecordTest, ClausesWithActionsRunBeside) {
  Outcome outcome =
      dscope({"-q", "--record=" + file("b.dcap"), "-n", writes_of_dd, "-n",
              "syscall::write:entry /progenyof($target) && arg2 == 1/ { @ = count(); } END { printa(\"%@d\\n\", @); }",
              "-c", writes(60)});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "60\n\n") << outcome.err;
  EXPECT_TRUE(has(info("b.dcap"), "format 1, 60 events"));
}

TEST_F(RecordTest, TranslatedArgumentsStringsAndStacks) {
  Outcome outcome =
      dscope({"--record=" + file("c.dcap"), "-x", "recordstacks", "-n",
              "proc:::exec-success, proc:::create, proc:::exit, sched:::on-cpu, syscall::fsync:", "-c", writes(3)});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_FALSE(has(outcome.err, "error")) << outcome.err;
  std::string text = info("c.dcap");
  EXPECT_TRUE(has(text, "args, strings, stacks")) << text;
  EXPECT_TRUE(has(text, "addresses with names")) << text;
}

TEST_F(RecordTest, SnapshotWritesWhatCameBefore) {
  Outcome outcome = dscope({"--record=" + file("d.dcap"), "-x", "recordspan=30s", "-n", writes_of_dd, "-n",
                            "syscall::fsync:entry /progenyof($target)/ { snapshot(); }", "-c", writes(41)});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "wrote a snapshot")) << outcome.err;
  EXPECT_TRUE(has(info("d.dcap"), "format 1, 41 events")) << info("d.dcap");
}

TEST_F(RecordTest, ASignalAsksForASnapshot) {
  Outcome outcome = dscope({"--record=" + file("e.dcap"), "-x", "bufpolicy=ring", "-n", writes_of_dd, "-c",
                            "sh -c '" + writes(12) + "; kill -USR1 $PPID'"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "wrote a snapshot")) << outcome.err;
  EXPECT_TRUE(has(info("e.dcap"), "format 1, 12 events")) << info("e.dcap");
}

TEST_F(RecordTest, RecordingsAreAppended) {
  for (int count : {5, 6}) {
    Outcome outcome =
        dscope({"--record=" + file("f.dcap"), "-x", "recordappend", "-n", writes_of_dd, "-c", writes(count)});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  EXPECT_TRUE(has(info("f.dcap"), "format 1, 11 events")) << info("f.dcap");
  Outcome outcome =
      dscope({"-q", "--replay=" + file("f.dcap"), "-n",
              "syscall::write:entry { @[pid] = count(); @all = sum(1); n++; } END { printa(\"%@d\\n\", @all); "
              "printf(\"%d\", n); trunc(@); trunc(@all); }"});
  EXPECT_EQ(outcome.out, "11\n11\n") << outcome.err;
}

TEST_F(RecordTest, RedactedCopiesHaveNoNames) {
  ASSERT_EQ(dscope({"--record=" + file("g.dcap"), "-n", writes_of_dd, "-c", writes(9)}).status, 0);
  Outcome outcome = dscope({"--redact=paths,args,names", file("g.dcap"), "-o", file("h.dcap")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "copied 9 events")) << outcome.err;
  std::string text = info("h.dcap");
  EXPECT_TRUE(has(text, "format 1, 9 events")) << text;
  // Replacements are hexadecimal: "dd" may be a part of one.
  EXPECT_FALSE(has(text, " dd") || has(text, "/dd")) << text;
  EXPECT_TRUE(has(text, "           9  n")) << text;
}

TEST_F(RecordTest, KeepsTheEventThatEndsTheRun) {
  Outcome outcome = dscope({"--record=" + file("exit.dcap"), "-n", "syscall::exit_group:entry", "-n",
                            "syscall::exit_group:entry /pid == $target/ { exit(0); }", "-c", "true"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  outcome = dscope({"-q", "--replay=" + file("exit.dcap"), "-n",
                    "syscall::exit_group:entry /pid == $target/ { printf(\"%s\", execname); }"});
  EXPECT_EQ(outcome.out, "true\n") << outcome.err;
}

TEST_F(RecordTest, KeepsProcessesAndThreads) {
  std::string program =
      "syscall::fsync:entry /progenyof($target)/ { printf(\"%s|%s|%d|%d|%s|%d\", curpsinfo->pr_fname, "
      "curpsinfo->pr_psargs, curpsinfo->pr_pid == pid, curlwpsinfo->pr_pri, curlwpsinfo->pr_clname, "
      "curpsinfo->pr_start.tv_sec); }";
  Outcome live = dscope({"-q", "--record=" + file("p.dcap"), "-x", "record=args,threads", "-n", "syscall::fsync:entry",
                         "-n", program, "-c", writes(1)});
  ASSERT_EQ(live.status, 0) << live.err;
  EXPECT_TRUE(has(live.out, "dd|dd if=/dev/zero")) << live.out;
  // The target of a replay has no descendants.
  std::string replayed = program;
  replayed.replace(replayed.find("progenyof($target)"), 18, "execname == \"dd\"");
  Outcome outcome = dscope({"-q", "--replay=" + file("p.dcap"), "-n", replayed});
  EXPECT_EQ(outcome.out, live.out) << outcome.err;
  EXPECT_TRUE(has(info("p.dcap"), "args, threads")) << info("p.dcap");
}

TEST_F(RecordTest, NamesTheOptionThatKeepsProcesses) {
  ASSERT_EQ(dscope({"--record=" + file("q.dcap"), "-n", writes_of_dd, "-c", writes(1)}).status, 0);
  auto replayed = [&](const std::string& statement) {
    return dscope({"-q", "-x", "diagnostics=full", "--replay=" + file("q.dcap"), "-n",
                   "syscall::write:entry { " + statement + " }"});
  };
  Outcome outcome = replayed("printf(\"%d %d\", curpsinfo->pr_pid == pid, curlwpsinfo->pr_lwpid == tid);");
  EXPECT_EQ(outcome.out, "1 1\n") << outcome.err;
  outcome = replayed("trace(curpsinfo->pr_psargs);");
  EXPECT_NE(outcome.status, 0);
  EXPECT_TRUE(has(outcome.err, "-x record=args,strings,threads")) << outcome.err;
}

TEST_F(RecordTest, KeepsTheTypesOfTheKernel) {
  Outcome outcome =
      dscope({"--record=" + file("t.dcap"), "-x", "record=args,types", "-n", writes_of_dd, "-c", writes(1)});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::string program = "BEGIN { printf(\"%d %d\", sizeof (struct file), PIDTYPE_SID); exit(0); }";
  Outcome live = dscope({"-q", "-n", program});
  outcome = dscope({"-q", "--replay=" + file("t.dcap"), "-n", program});
  EXPECT_EQ(outcome.out, live.out) << outcome.err;
}

TEST_F(RecordTest, ReplaysHaveReportsAndTimelines) {
  ASSERT_EQ(dscope({"--record=" + file("r.dcap"), "-n", writes_of_dd, "-c", writes(20)}).status, 0);
  Outcome outcome =
      dscope({"-q", "--replay=" + file("r.dcap"), "--report=" + file("r.html"), "--timeline=" + file("r.json"), "-n",
              "syscall::write:entry { @[execname] = count(); trace(arg2); }"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* name : {"r.html", "r.json"}) {
    Outcome found = run({"grep", "-c", "dd", file(name)});
    EXPECT_EQ(found.status, 0) << name;
  }
}

TEST_F(RecordTest, InfoKeepsNamesInTheirLines) {
  std::string command = "sh -c \"printf x >/dev/null\nexit 0\"";
  Outcome outcome = dscope({"--record=" + file("lines.dcap"), "-n", "syscall::write:entry", "-c", command});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::string text = info("lines.dcap");
  EXPECT_TRUE(has(text, "/dev/null^Jexit 0")) << text;
  EXPECT_TRUE(has(text, "(1 probe)")) << text;
}

TEST_F(RecordTest, ReplaysShowTheProcessThatRecorded) {
  const std::string program =
      "BEGIN { printf(\"%d %d %s\\n\", $pid == pid, $ppid == ppid, execname); } "
      "END { printf(\"%d\\n\", $pid); }";
  Outcome live = dscope({"-q", "--record=" + file("j.dcap"), "-n", writes_of_dd, "-n", program, "-c", writes(3)});
  ASSERT_EQ(live.status, 0) << live.err;
  EXPECT_TRUE(live.out.starts_with("1 1 dscope\n")) << live.out;
  Outcome replay = dscope({"-q", "--replay=" + file("j.dcap"), "-n", program});
  EXPECT_EQ(replay.out, live.out) << replay.err;
}

// newborn opens a file whose name no process has read yet: the text is not in memory at the entry.
TEST_F(RecordTest, TextsThatCannotBeReadFaultInReplays) {
  const std::string program =
      "syscall::openat:entry /execname == \"newborn\"/ { printf(\"%d\\n\", strlen(copyinstr(arg1)) > 0); }"
      "ERROR { printf(\"fault %d\\n\", arg4); }";
  Outcome live = dscope({"-q", "--record=" + file("m.dcap"), "-n", "syscall::openat:entry /execname == \"newborn\"/ {}",
                         "-n", program, "-c", DSCOPE_TRIGGERS "/newborn missing"});
  ASSERT_EQ(live.status, 0) << live.err;
  EXPECT_TRUE(has(live.out, "fault 1\n")) << live.out;
  Outcome replay = dscope({"-q", "--replay=" + file("m.dcap"), "-n", program});
  EXPECT_EQ(replay.out, live.out) << replay.err;
}

TEST_F(RecordTest, NumbersAreDescribedByNames) {
  Outcome listed = dscope({"-l", "-n", "syscall::fsync:entry"});
  std::string number = std::to_string(std::atoi(listed.out.c_str() + listed.out.find('\n')));
  Outcome outcome = dscope({"--record=" + file("k.dcap"), "-i", number, "-c", writes(3)});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has(info("k.dcap"), "probes      syscall:vmlinux:fsync:entry (1 probe)")) << info("k.dcap");
}

TEST_F(RecordTest, ProbesThatAppearLaterAreNotRecorded) {
  const std::string later = "pid$target:later.so:called:entry";
  Outcome some = dscope({"-Z", "--record=" + file("l.dcap"), "-n", later, "-n", writes_of_dd, "-c", writes(3)});
  EXPECT_EQ(some.status, 0);
  EXPECT_TRUE(has(some.err, "cannot record probes that appear later: pid")) << some.err;
  EXPECT_TRUE(has(some.err, "recorded 3 events")) << some.err;
  Outcome none = dscope({"-Z", "--record=" + file("l.dcap"), "-n", later, "-c", writes(3)});
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(has(none.err, "once the library or program is loaded: -p PID")) << none.err;
}

TEST_F(RecordTest, MistakesAreExplained) {
  Outcome nothing = dscope({"--record=" + file("i.dcap"), "-n", "BEGIN { exit(0); }"});
  EXPECT_NE(nothing.status, 0);
  EXPECT_TRUE(has(nothing.err, "nothing to record: every clause has actions")) << nothing.err;
  Outcome part = dscope({"--record=" + file("i.dcap"), "-x", "record=args,all", "-n", "syscall:::"});
  EXPECT_TRUE(has(part.err, "unknown part of events in -x record: all")) << part.err;
  Outcome snapshot = dscope({"-n", "BEGIN { snapshot(); exit(0); }"});
  EXPECT_TRUE(has(snapshot.err, "nothing is recorded")) << snapshot.err;
  Outcome info = dscope({"--info=/etc/passwd"});
  EXPECT_NE(info.status, 0);
}

}  // namespace
}  // namespace dscope::e2e
