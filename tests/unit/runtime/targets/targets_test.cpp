// -c and -p: the point where commands wait, their end with the session, error texts.
#include "runtime/targets/targets.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <future>
#include <sstream>
#include <thread>

#include "runtime/targets/command_file.h"
#include "runtime/targets/dynamic_linker_probe.h"
#include "tests/unit/runtime/session/session_fixture.h"

namespace dscope::testing {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Third field of /proc/PID/stat.
char state_of(int pid) {
  std::string text = read_text("/proc/" + std::to_string(pid) + "/stat");
  size_t end = text.rfind(')');
  return end == std::string::npos ? 0 : text[end + 2];
}

void wait_until_gone(Targets& targets) {
  while (!targets.all_ended()) ::usleep(1000);  // bounded by the test's time limit; not a synchronization
}

TEST(Targets, CommandWaitsInItsMain) {
  auto targets = Targets::create({{.is_command = true, .text = " /bin/true\t"}}, {.evaltime = "postinit"});
  ASSERT_TRUE(targets) << targets.error().message();
  int pid = (*targets)->first_pid();
  EXPECT_EQ(state_of(pid), 't');
  EXPECT_NE(read_text("/proc/" + std::to_string(pid) + "/maps").find("libc"), std::string::npos);
  EXPECT_FALSE((*targets)->all_ended());
  (*targets)->resume(Targets::AtLoads::RunOn);
  wait_until_gone(**targets);
}

TEST(Targets, CommandWaitsWithItsLibrariesMapped) {
  auto targets = Targets::create({{.is_command = true, .text = "true"}}, {.evaltime = "preinit"});
  ASSERT_TRUE(targets) << targets.error().message();
  int pid = (*targets)->first_pid();
  EXPECT_EQ(state_of(pid), 't');
  EXPECT_NE(read_text("/proc/" + std::to_string(pid) + "/maps").find("libc.so"), std::string::npos);
  (*targets)->resume(Targets::AtLoads::RunOn);
  wait_until_gone(**targets);
}

// The kernel handles an int3 at the address of a uprobe itself, so a software breakpoint there never stops the command.
TEST(Targets, CommandWaitsDespiteAnotherUprobe) {
  auto probe = DynamicLinkerProbe::open({static_cast<uint32_t>(::getpid())}, DynamicLinkerProbe::Scope::AddedProcesses);
  if (probe == nullptr) GTEST_SKIP() << "needs the privileges to attach a uprobe";
  auto targets = Targets::create({{.is_command = true, .text = "true"}}, {.evaltime = "preinit"});
  ASSERT_TRUE(targets) << targets.error().message();
  EXPECT_FALSE((*targets)->all_ended());
  EXPECT_EQ(state_of((*targets)->first_pid()), 't');
  (*targets)->resume(Targets::AtLoads::RunOn);
  wait_until_gone(**targets);
}

TEST(Targets, CommandWaitsBeforeTheDynamicLinker) {
  auto targets = Targets::create({{.is_command = true, .text = "true"}}, {.evaltime = "exec"});
  ASSERT_TRUE(targets) << targets.error().message();
  std::string maps = read_text("/proc/" + std::to_string((*targets)->first_pid()) + "/maps");
  EXPECT_NE(maps.find("ld-linux"), std::string::npos);
  EXPECT_EQ(maps.find("libc.so"), std::string::npos);
  (*targets)->resume(Targets::AtLoads::RunOn);
  wait_until_gone(**targets);
}

TEST(Targets, CommandRunsWithItsArgumentsAfterResume) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::string command = "/bin/sh /proc/self/fd/" + std::to_string(ends[0]);
  ASSERT_EQ(::write(ends[1], "exit 0\n", 7), 7);
  ::close(ends[1]);
  auto targets = Targets::create({{.is_command = true, .text = command}}, {.evaltime = "main"});
  ASSERT_TRUE(targets) << targets.error().message();
  (*targets)->resume(Targets::AtLoads::RunOn);
  wait_until_gone(**targets);
  char rest;
  EXPECT_EQ(::read(ends[0], &rest, 1), 0);  // the shell has read all of it
  ::close(ends[0]);
}

TEST(Targets, RunningCommandsAreKilled) {
  int pid = 0;
  {
    auto targets = Targets::create({{.is_command = true, .text = "sleep 1000"}}, {.evaltime = "postinit"});
    ASSERT_TRUE(targets);
    pid = (*targets)->first_pid();
  }
  EXPECT_EQ(::kill(pid, 0), -1);
  {
    auto targets = Targets::create({{.is_command = true, .text = "sleep 1000"}}, {.evaltime = "postinit"});
    ASSERT_TRUE(targets);
    pid = (*targets)->first_pid();
    (*targets)->resume(Targets::AtLoads::RunOn);
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

// When the tracer dies, its stopped command must die too.
TEST(Targets, HeldCommandDiesWithItsTracer) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  pid_t creator = ::fork();
  if (creator == 0) {
    auto targets = Targets::create({{.is_command = true, .text = "sleep 1000"}}, {.evaltime = "postinit"});
    int pid = targets ? (*targets)->first_pid() : 0;
    [[maybe_unused]] ssize_t written = ::write(ends[1], &pid, sizeof pid);
    ::pause();
  }
  int pid = 0;
  ASSERT_EQ(::read(ends[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  ASSERT_GT(pid, 0);
  int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  ASSERT_GE(pidfd, 0);
  ::kill(creator, SIGKILL);
  ::waitpid(creator, nullptr, 0);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(pidfd, &set);
  timeval limit{.tv_sec = 10, .tv_usec = 0};
  EXPECT_EQ(::select(pidfd + 1, &set, nullptr, nullptr, &limit), 1);
  ::close(pidfd);
  ::close(ends[0]);
  ::close(ends[1]);
}

// Runs `body` in a child that may not call ptrace(2). The result is its exit status.
template <typename Body>
int run_without_ptrace(Body body) {
  pid_t child = ::fork();
  if (child == 0) {
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog filter{.len = std::size(code), .filter = code};
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0) ::_exit(99);
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Targets, WithoutPtraceCommandsWaitBeforeExec) {
  int status = run_without_ptrace([] {
    auto targets = Targets::create({{.is_command = true, .text = "true"}}, {.evaltime = "postinit"});
    if (!targets || (*targets)->all_ended()) return 1;
    (*targets)->resume(Targets::AtLoads::RunOn);
    wait_until_gone(**targets);
    auto missing = Targets::create({{.is_command = true, .text = "no_such_program"}}, {.evaltime = "postinit"});
    return !missing && missing.error().message() == "failed to execute no_such_program: No such file or directory" ? 0
                                                                                                                   : 2;
  });
  EXPECT_EQ(status, 0);
}

TEST(Privileges, MissingPrivilegesAreNamed) {
  if (!why_not_privileged().empty()) GTEST_SKIP() << why_not_privileged();
  pid_t child = ::fork();
  if (child == 0) {
    if (::setresuid(65534, 65534, 65534) < 0) ::_exit(2);
    ::_exit(why_not_privileged() == "this process has neither CAP_BPF and CAP_PERFMON nor CAP_SYS_ADMIN" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Targets, ErrorTexts) {
  auto message = [](TargetRequest request) {
    auto targets = Targets::create({std::move(request)}, {.evaltime = "postinit"});
    return targets ? std::string{"no error"} : targets.error().message();
  };
  EXPECT_EQ(message({.is_command = true, .text = "/no/such/program -x"}),
            "failed to execute /no/such/program: No such file or directory");
  EXPECT_EQ(message({.is_command = true, .text = "no_such_program_anywhere"}),
            "failed to execute no_such_program_anywhere: No such file or directory");
  EXPECT_EQ(message({.is_command = true, .text = "/etc/passwd"}), "failed to execute /etc/passwd: Permission denied");
  EXPECT_EQ(message({.text = "12x"}), "invalid pid: 12x");
  EXPECT_EQ(message({.text = "-5"}), "invalid pid: -5");
  EXPECT_EQ(message({.text = "4194304"}), "No such process");
  std::promise<pid_t> started;
  std::promise<void> ended;
  std::thread thread([&] {
    started.set_value(::gettid());
    ended.get_future().wait();
  });
  const pid_t id = started.get_future().get();
  EXPECT_EQ(message({.text = std::to_string(id)}),
            std::to_string(id) + " is a thread of process " + std::to_string(::getpid()));
  ended.set_value();
  thread.join();
}

TEST(Targets, GrabbedProcessesRunOn) {
  pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  {
    auto targets = Targets::create({{.text = std::to_string(child)}}, {.evaltime = "postinit"});
    ASSERT_TRUE(targets) << targets.error().message();
    EXPECT_EQ((*targets)->first_pid(), child);
    EXPECT_FALSE((*targets)->all_ended());
    EXPECT_EQ((*targets)->exit_fds().size(), 1u);
  }
  EXPECT_EQ(::kill(child, 0), 0);
  auto targets = Targets::create({{.text = std::to_string(child)}}, {.evaltime = "postinit"});
  ASSERT_TRUE(targets);
  ::kill(child, SIGKILL);
  siginfo_t info;
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_TRUE((*targets)->all_ended());
  ::waitpid(child, nullptr, 0);
}

TEST_F(SessionTest, EndOfTheCommandEndsTheRun) {
  auto targets = Targets::create({{.is_command = true, .text = "true"}}, {.evaltime = "postinit"});
  ASSERT_TRUE(targets);
  ProgramPlan plan = make_plan();
  set_global(plan, global_pid, static_cast<uint64_t>((*targets)->first_pid()));
  set_global(plan, global_number, SYS_exit_group);
  add_program(plan, "enter_copied", HookRawTracepoint{.name = "sys_enter"});
  add_program(plan, "end", end_hook());
  auto result = run(plan, **targets);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->exit_status, 0);
  EXPECT_EQ(consumer_log.values(6).size(), 1u);
  EXPECT_EQ(consumer_log.values(2).size(), 1u);
  EXPECT_EQ(consumer_log.interruptions, 0);
}

TEST_F(SessionTest, ExitInBeginNeverStartsTheCommand) {
  auto targets = Targets::create({{.is_command = true, .text = "true"}}, {.evaltime = "postinit"});
  ASSERT_TRUE(targets);
  ProgramPlan plan = make_plan();
  add_program(plan, "begin_exits", begin_hook());
  ASSERT_TRUE(run(plan, **targets));
  EXPECT_EQ(state_of((*targets)->first_pid()), 't');
}

// In a child, because the folder and PATH belong to the process.
TEST(CommandFile, EmptyPartOfPathIsTheCurrentFolder) {
  pid_t child = ::fork();
  if (child == 0) {
    bool is_set = ::chdir("/bin") == 0 && ::setenv("PATH", ":/nowhere", 1) == 0;
    ::_exit(is_set && file_of_command("sh") == "./sh" && file_of_command("no-such-command").empty() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace dscope::testing
