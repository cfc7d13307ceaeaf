// Target processes of -p and -c: probed while they run, and unharmed afterwards.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

// A trigger program that runs until the test ends.
class Runner {
 public:
  explicit Runner(std::vector<std::string> command) {
    int started[2] = {-1, -1};  // closed on exec: end of file says that the command runs
    if (::pipe2(started, O_CLOEXEC) != 0) return;
    pid_ = ::fork();
    if (pid_ != 0) {
      ::close(started[1]);
      char nothing = 0;
      while (::read(started[0], &nothing, 1) < 0 && errno == EINTR) continue;
      ::close(started[0]);
      return;
    }
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  ~Runner() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::string pid() const { return std::to_string(pid_); }
  bool is_running() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }
  // Third field of its stat: R, S, T (stopped), t (traced)...
  char state() const {
    FILE* file = std::fopen(("/proc/" + pid() + "/stat").c_str(), "r");
    char name[64] = {}, state = 0;
    int found = file != nullptr ? std::fscanf(file, "%*d %63s %c", name, &state) : 0;
    if (file != nullptr) std::fclose(file);
    return found == 2 ? state : '?';
  }

 private:
  pid_t pid_;
};

std::string busy() { return DSCOPE_TRIGGERS "/busy"; }

TEST(Target, ErrorsDescribeTheTarget) {
  SKIP_UNLESS_TRACING();
  auto error_of = [](const std::string& probe) {
    return dscope({"-xerrtags", "-e", "-n", probe, "-c", DSCOPE_TRIGGERS "/functions"}).err;
  };
  EXPECT_NE(error_of("pid$target:a.out:hidden:en*x").find("[D_PDESC_ZERO]"), std::string::npos);
  std::string name;
  if (!(std::ifstream("/proc/2/comm") >> name) || name != "kthreadd") GTEST_SKIP() << "no kernel thread is visible";
  EXPECT_NE(error_of("pid2::main:entry").find("[D_PROC_GRAB] process 2 cannot be traced: it is a kernel thread"),
            std::string::npos);
}

// The message for a stripped program, and for a function of another object.
TEST(Target, ErrorsNameTheObjectThatHasTheFunction) {
  SKIP_UNLESS_TRACING();
  std::string bare = DSCOPE_TRIGGERS "/described_bare";
  auto error_of = [&](const std::string& probe) { return dscope({"-e", "-n", probe, "-c", bare}).err; };
  EXPECT_NE(error_of("pid$target:a.out:nothing_here:entry").find("described_bare is stripped: only exported functions"),
            std::string::npos);
  EXPECT_NE(error_of("pid$target:a.out:getppid:entry").find("there is no function getppid in a.out of process "),
            std::string::npos);
  EXPECT_NE(error_of("pid$target:a.out:getppid:entry").find("; libc.so.6 has it\n"), std::string::npos);
}

TEST(Target, ErrorsNameTheNearestFunction) {
  SKIP_UNLESS_TRACING();
  auto error_of = [](const std::string& probe) {
    return dscope({"-e", "-n", probe, "-c", DSCOPE_TRIGGERS "/functions"}).err;
  };
  for (const char* probe : {"pid$target:libc:mallok:entry", "pid$target:lib*:mallok:entry", "pid$target::mallok:entry",
                            "uprobe:libc.so.6:mallok:entry"})
    EXPECT_NE(error_of(probe).find("did you mean `malloc`?\n"), std::string::npos) << error_of(probe);
}

// The messages for a function that the compiler cloned, for a kernel function, and for arguments without types.
TEST(Target, ErrorsExplainMissingFunctionsAndTypes) {
  SKIP_UNLESS_TRACING();
  std::string directory = std::filesystem::temp_directory_path() / "copies_XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  std::ofstream(directory + "/copies.c")
      << "static int scaled(int value, int factor) __asm__(\"scaled.constprop.0\");\n"
         "static __attribute__((noinline)) int scaled(int value, int factor) {\n"
         "  __asm__ volatile(\"\" : \"+r\"(value), \"+r\"(factor)); return value * factor; }\n"
         "int main(int argc, char** argv) { return argv == 0 ? scaled(argc, 3) : 0; }\n";
  ASSERT_EQ(std::system(("cc -O1 -o " + directory + "/copies " + directory + "/copies.c").c_str()), 0);
  std::ofstream(directory + "/script") << "#!/no/such/interpreter -x\n";
  std::filesystem::permissions(directory + "/script", std::filesystem::perms::owner_all);
  auto error_of = [&](const std::string& program, const std::string& command) {
    return dscope({"-e", "-xdiagnostics=full", "-n", program, "-c", directory + command}).err;
  };
  EXPECT_NE(error_of("pid$target:a.out:scaled:entry", "/copies")
                .find("; the compiler replaced it by scaled.constprop.0; `scaled.*` matches all its copies"),
            std::string::npos);
  EXPECT_NE(error_of("pid$target::vfs_read:entry", "/copies")
                .find("hint: this is a function of the kernel: fbt:vmlinux:vfs_read:entry"),
            std::string::npos);
  EXPECT_NE(error_of("pid$target:a.out:main:entry { trace(args[0]); }", "/copies").find("has no type information"),
            std::string::npos);
  EXPECT_NE(error_of("pid$target:a.out:main:entry { trace(pid$target`argc); }", "/copies").find("from nm(1)"),
            std::string::npos);
  EXPECT_NE(
      dscope({"-n", "BEGIN", "-c", directory + "/script"}).err.find("its interpreter /no/such/interpreter: No such"),
      std::string::npos);
  std::filesystem::remove_all(directory);
}

// A command must not inherit dscope's ignored SIGPIPE: `yes | head -1` would print an error.
TEST(Target, CommandInheritsNoIgnoredSignals) {
  SKIP_UNLESS_TRACING();
  Outcome plain = run({"grep", "SigIgn", "/proc/self/status"});
  Outcome traced = dscope({"-qn", "BEGIN", "-c", "grep SigIgn /proc/self/status"});
  EXPECT_EQ(traced.out.substr(0, plain.out.size()), plain.out) << traced.err;
}

TEST(Target, CommandsKeepTheirWords) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-qn", "END { trace($$1); }", "one", "--", "printf", "%s|", "two words", "-q", "--"});
  EXPECT_EQ(outcome.out, "two words|-q|--|one\n") << outcome.err;
  outcome = dscope({"-qn", "END", "-c", "printf %s| \"two words\" it\\'s"});
  EXPECT_EQ(outcome.out, "two words|it's|\n") << outcome.err;
  EXPECT_EQ(dscope({"-qn", "BEGIN { trace($1); exit(0); }", "--", "777"}).err,
            "dscope: failed to execute 777: No such file or directory\n"
            "dscope: -- runs a command: macro arguments of the program go before it\n");
  EXPECT_EQ(dscope({"-qn", "BEGIN { trace($1); exit(0); }", "--", "/no/such/7"}).err,
            "dscope: failed to execute /no/such/7: No such file or directory\n");
}

// A script starts as its interpreter, and a wrapper as itself.
TEST(Target, MessagesNameScriptsAndWrappers) {
  SKIP_UNLESS_TRACING();
  std::string directory = std::filesystem::temp_directory_path() / "script_XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  std::string script = directory + "/wrapper";
  std::ofstream(script) << "#!/usr/bin/env -S sh -e\nexec " DSCOPE_TRIGGERS "/forks\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  std::string hint = script + " is a script for ";
  for (const char* probe : {"pid$target:a.out:worked:entry", "pid$target:forks:wor*:entry"})
    EXPECT_NE(dscope({"-e", "-xdiagnostics=full", "-n", probe, "--", script}).err.find(hint), std::string::npos);
  std::filesystem::remove_all(directory);

  std::string notice = "executed another program";
  std::vector<std::string> arguments{
      "-xevaltime=exec",       "-qn", "pid$target:a.out:main:entry { @ = count(); }", "--", DSCOPE_TRIGGERS "/starts",
      DSCOPE_TRIGGERS "/forks"};
  EXPECT_NE(dscope(arguments).err.find(notice), std::string::npos);
  arguments.insert(arguments.begin(), "-xfollow=exec");
  EXPECT_EQ(dscope(arguments).err.find(notice), std::string::npos);
}

// The library's folder contains other files with the same name up to the dot.
TEST(Target, ModuleNamesMatchLibrariesOnly) {
  SKIP_UNLESS_TRACING();
  std::string directory = std::filesystem::temp_directory_path() / "target_test_XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  for (const char* file : {"loads", "libplugin.so"})
    std::filesystem::copy(std::string{DSCOPE_TRIGGERS "/"} + file, directory + "/" + file);
  std::ofstream(directory + "/libplugin.c") << "int plugged;\n";
  std::ofstream(directory + "/libplugin.o") << "no object\n";
  Outcome outcome = dscope({"-q", "-n", "pid$target:libplugin:plugged:entry { printf(\"%s %d\", probemod, arg0); }",
                            "-c", directory + "/loads"});
  EXPECT_EQ(outcome.out, "libplugin.so 7\n") << outcome.err;
  std::filesystem::remove_all(directory);
}

// Attached and detached many times while threads run through the probed functions.
TEST(Target, SurvivesRepeatedTracing) {
  SKIP_UNLESS_TRACING();
  Runner runner({busy(), "4"});
  for (int i = 0; i < 20; ++i) {
    Outcome outcome =
        dscope({"-q", "-p", runner.pid(), "-n", "pid$target:a.out:spin*: { @[probename] = count(); }", "-n",
                "pid$target:a.out:spin:return /++n == 100/ { exit(0); }", "-n", "END { printa(@); }"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    ASSERT_NE(outcome.out.find("entry"), std::string::npos) << outcome.out;
    ASSERT_TRUE(runner.is_running());
  }
  EXPECT_NE(runner.state(), 'T');
  EXPECT_NE(runner.state(), 't');
}

// Killed at any moment, the tracer leaves neither a stopped process nor probes that break it.
TEST(Target, SurvivesTheDeathOfItsTracer) {
  SKIP_UNLESS_TRACING();
  Runner runner({busy(), "4"});
  for (int delay_us : {0, 1000, 3000, 10'000, 20'000, 30'000, 45'000, 60'000, 90'000, 120'000}) {
    Runner tracer(
        {DSCOPE_PROGRAM, "-q", "-p", runner.pid(), "-n", "pid$target:a.out:spin*: { @[probename] = count(); }"});
    ::usleep(static_cast<useconds_t>(delay_us));  // varies the moment of death; not a synchronization
  }
  ASSERT_TRUE(runner.is_running());
  EXPECT_NE(runner.state(), 'T');
  EXPECT_NE(runner.state(), 't');
  Outcome outcome = dscope({"-q", "-p", runner.pid(), "-n", "pid$target:a.out:spin:entry { exit(3); }"});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
}

TEST(Target, RunEndsWithTheLastTarget) {
  SKIP_UNLESS_TRACING();
  Runner runner({busy(), "1"});
  Outcome outcome = dscope({"-q", "-c", "true", "-p", runner.pid(), "-n", "tick-10ms /++n == 20/ { exit(4); }"});
  EXPECT_EQ(outcome.status, 4) << outcome.err;
}

TEST(Target, EachTargetMatchesItsOwnProgram) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-q", "-c", DSCOPE_TRIGGERS "/forks", "-c", DSCOPE_TRIGGERS "/typed", "-n",
                            "pid*:a.out:main:entry { @[probemod] = count(); } END { printa(\"%s %@d\\n\", @); }"});
  EXPECT_EQ(outcome.out, "forks 1\ntyped 1\n\n") << outcome.err;
}

// In a container, process numbers differ from the kernel's own.
TEST(Target, NumbersAreThoseOfOurNamespace) {
  SKIP_UNLESS_TRACING();
  if (run({"unshare", "-mpf", "--mount-proc", "true"}).status != 0) GTEST_SKIP() << "no pid namespaces";
  Outcome outcome =
      run({"unshare", "-mpf", "--mount-proc", DSCOPE_PROGRAM, "-qn",
           "BEGIN { printf(\"%d \", pid == $pid); } syscall::exit_group:entry /pid == $target && !seen/ { seen = 1; "
           "printf(\"%s\", execname); ustack(1); }",
           "-c", "true"});
  EXPECT_EQ(outcome.out.substr(0, 6), "1 true") << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("libc"), std::string::npos) << outcome.out;
}

// Lazily linked calls, locks, vector instructions, system calls, nops that the kernel turns into calls: instructions
// that the kernel cannot execute out of line get no probe.
TEST(Target, ComputesTheSameWithProbesOnAllInstructions) {
  SKIP_UNLESS_TRACING();
  for (const char* functions :
       {"a.out:", "libc:putchar", "libc:*printf*", "libc:getppid", "libc:strchr*", "libc:strrchr", "libc:memchr"}) {
    Outcome outcome = dscope({"-q", "-c", DSCOPE_TRIGGERS "/vectors", "-n",
                              "pid$target:" + std::string{functions} + ": { n++; } END { printf(\"%d\", n > 0); }"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "5 5 5 \n1\n") << functions;
  }
}

// Traces a process that executes `busy` on SIGUSR1. The clause at `signal_probe` sends the signal.
void expect_followed(Runner& runner, const std::string& signal_probe) {
  Outcome outcome = dscope({"-qw", "-x", "follow=exec", "-p", runner.pid(), "-n",
                            signal_probe + " { system(\"kill -USR1 " + runner.pid() + "\"); }", "-n",
                            "pid$target:a.out:spin:entry { printf(\"%s %d\", probemod, pid == $target); exit(0); }"});
  EXPECT_EQ(outcome.out.substr(0, 6), "busy 1") << outcome.out << outcome.err;
  ASSERT_TRUE(runner.is_running());
  EXPECT_NE(runner.state(), 'T');
  EXPECT_NE(runner.state(), 't');
}

// A shell executes the program from its handler for the signal.
TEST(Target, IsFollowedThroughExec) {
  SKIP_UNLESS_TRACING();
  Runner runner({"/bin/sh", "-c", "trap 'exec " + busy() + " 2' USR1; while :; do sleep 0.01; done"});
  expect_followed(runner, "tick-20ms /sent++ == 0/");
}

// A thread other than the first, whose number is the process's, calls exec.
TEST(Target, IsFollowedThroughExecOfAnotherThread) {
  SKIP_UNLESS_TRACING();
  Runner runner({DSCOPE_TRIGGERS "/execs", busy(), "2"});
  expect_followed(runner, "tick-20ms");
}

// If the command's program blocks before main(), SIGINT still ends dscope. Both processes have ended, or the streams
// that this test reads would stay open.
TEST(Target, BlockedStartCanBeInterrupted) {
  SKIP_UNLESS_TRACING();
  if (getenv("DSCOPE_E2E_WRAPPER") != nullptr)
    GTEST_SKIP() << "--build starts the command, too, and waits for its main()";
  for (const char* evaltime : {"postinit", "exec"}) {
    Outcome outcome = dscope_with_signal(
        {"-q", "-x", "follow=exec", "-x", std::string{"evaltime="} + evaltime, "-c",
         "/usr/bin/env " DSCOPE_TRIGGERS "/execs", "-n", "pid$target:a.out:main:entry { trace(1); } END { trace(2); }"},
        "blocked", SIGINT);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find('2'), std::string::npos) << outcome.out;
  }
  // Before tracing starts, no END clause runs.
  Outcome outcome =
      dscope_with_signal({"-q", "-c", DSCOPE_TRIGGERS "/execs", "-n", "END { trace(2); }"}, "blocked", SIGINT);
  EXPECT_EQ(outcome.status, 128 + SIGINT) << outcome.err;
}

TEST(Target, ReportsDescriptionsThatNeverMatched) {
  SKIP_UNLESS_TRACING();
  auto trace = [](const std::string& program) {
    return dscope({"-x", "follow=exec", "-c", "/usr/bin/env " DSCOPE_TRIGGERS "/forks", "-n", program});
  };
  Outcome outcome = trace("pid$target:a.out:wroked:entry, pid$target:libc:getenv:entry { @ = count(); }");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.err.find(" ' matched 1 probe, and 1 description may match later\n"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find(":a.out:wroked:entry never matched any probes: there is no function wroked in a.out of "),
            std::string::npos)
      << outcome.err;
  outcome = trace("pid$target:a.out:worked:entry");
  EXPECT_NE(outcome.err.find(" matched 0 probes, and 1 description may match later\n"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("never matched"), std::string::npos) << outcome.err;
  // With -Z and -q nothing is reported.
  outcome = dscope({"-qZ", "-c", "/bin/true", "-n", "pid$target:a.out:wroked:entry"});
  EXPECT_EQ(outcome.err, "");
}

TEST(Target, ErrorsNameTheMissingFunction) {
  SKIP_UNLESS_TRACING();
  Runner runner({busy(), "1"});
  Outcome outcome = dscope({"-xerrtags", "-p", runner.pid(), "-n", "pid$target:a.out:nosuch:entry"});
  EXPECT_NE(outcome.err.find("[D_PROC_FUNC] there is no function nosuch in a.out of process " + runner.pid()),
            std::string::npos)
      << outcome.err;
  outcome = dscope({"-xerrtags", "-p", runner.pid(), "-n", "pid$target:a.out:main:fffff"});
  EXPECT_NE(outcome.err.find("[D_PROC_OFF] offset 0xfffff is beyond function main"), std::string::npos) << outcome.err;
  // A return probe on a function that never returns could never fire.
  for (const std::string& provider : {std::string{"pid$target:a.out"}, "uprobe:" + busy()}) {
    outcome = dscope({"-xerrtags", "-p", runner.pid(), "-n", provider + ":_start:return"});
    EXPECT_NE(outcome.err.find("[D_PROC_NAME] function _start never returns"), std::string::npos) << outcome.err;
  }
}

TEST(Target, ListsArgumentTypes) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-lvv", "-c", DSCOPE_TRIGGERS "/typed", "-n", "pid$target:a.out:find_shape:entry", "-n",
                            "pid$target:a.out:find_shape:return"});
  EXPECT_NE(outcome.out.find("\t\targs[0]: struct shape *\n\t\targs[1]: short\n\t\targs[2]: double\n"
                             "\t\targs[3]: enum color\n"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("\t\targs[0]: int\n\t\targs[1]: struct shape *\n\n"), std::string::npos) << outcome.out;
}

// The number of the process that runs the program of that name, as soon as it exists.
std::string found_by_name(const std::string& name) {
  std::string child;
  for (int i = 0; i < 5000 && child.empty(); ++i) {
    ::usleep(1000);  // bounded wait for the program to run
    FILE* found = ::popen(("pgrep -x " + name).c_str(), "r");
    char text[32] = {};
    if (found != nullptr && std::fgets(text, sizeof text, found) != nullptr) child = std::to_string(std::atoi(text));
    if (found != nullptr) ::pclose(found);
  }
  return child;
}

// A shell command that mounts a tmpfs at `folder` and copies `program` into it as `name`. The program is opened before
// the mount, which hides it if it lies below `folder` too.
std::string copy_into_tmpfs(const std::string& program, const std::string& folder, const std::string& name) {
  std::string copy = folder + "/" + name;
  return "exec 3<" + program + " && mount -t tmpfs none " + folder + " && cat <&3 >" + copy + " && chmod +x " + copy +
         " && exec 3<&-";
}

// The program's file is invisible here: its process has a different root directory and other mounts.
TEST(Target, InAnotherMountNamespaceIsTraced) {
  SKIP_UNLESS_TRACING();
  std::string script = copy_into_tmpfs(busy(), "/mnt", "contained") + " && exec /mnt/contained 2";
  Runner runner({"/usr/bin/unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script});
  std::string child = found_by_name("contained");
  ASSERT_FALSE(child.empty());
  Outcome outcome = dscope(
      {"-q", "-p", child, "-n",
       "pid$target:a.out:spin:entry { printf(\"%s %s %d\\n\", probemod, probefunc, pid == $target); exit(0); }"});
  EXPECT_NE(outcome.out.find("contained spin 1"), std::string::npos) << outcome.out << outcome.err;
  outcome = dscope({"-q", "-p", child, "-n", "pid$target:a.out:spin:entry { ustack(1); exit(0); }"});
  EXPECT_NE(outcome.out.find("contained`spin\n"), std::string::npos) << outcome.out << outcome.err;
}

#ifdef __x86_64__
// JIT code has no file. Its names are in a perf map in the process's own /tmp, named by the process's number in its own
// namespace.
TEST(Target, InOtherNamespacesHasNamesForJitCode) {
  SKIP_UNLESS_TRACING();
  for (const char* kind : {"", "file"}) {
    // The first process may still be exiting when the second is searched for.
    std::string name = std::string{"jits_apart"} + kind;
    std::string script = copy_into_tmpfs(DSCOPE_TRIGGERS "/jits", "/tmp", name) +
                         " && exec unshare --mount --pid --fork --kill-child /tmp/" + name + " " + kind;
    Runner runner({"/usr/bin/unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script});
    std::string child = found_by_name(name);
    ASSERT_FALSE(child.empty());
    std::string probe = "pid$target:libc:getppid:entry ";
    // The process writes the perf map before the first call.
    Outcome outcome = dscope({"-q", "-p", child, "-n", probe + "{ ustack(3); exit(0); }"});
    EXPECT_NE(outcome.out.find("libc.so.6`getppid\n              perf-" + child +
                               ".map`made by a compiler+0x6\n"
                               "              " +
                               name + "`main+0x"),
              std::string::npos)
        << kind << outcome.out << outcome.err;
    outcome = dscope({"-q", "-p", child, "-n", probe + "{ @[ufunc(ucaller)] = count(); exit(0); }"});
    EXPECT_NE(outcome.out.find("perf-" + child + ".map`made by a compiler"), std::string::npos) << outcome.out;
  }
}

// A JVM can write its perf map when it exits. It has exited when dscope prints the names.
TEST(Target, ExitedProcessHasNamesForJitCode) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope(
      {"-q", "-n", "pid$target:libc:getppid:entry { @[ustack(2)] = count(); } BEGIN { printf(\"%d\\n\", $target); }",
       "-c", DSCOPE_TRIGGERS "/jits end"});
  std::string pid = outcome.out.substr(0, outcome.out.find('\n'));
  EXPECT_NE(outcome.out.find("libc.so.6`getppid\n              perf-" + pid + ".map`made by a compiler+0x6\n"),
            std::string::npos)
      << outcome.out << outcome.err;
  ::unlink(("/tmp/perf-" + pid + ".map").c_str());
}
#endif

}  // namespace
}  // namespace dscope::e2e
