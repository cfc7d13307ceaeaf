// Compares built-in variables, and the D libraries built on them, with the test process's own view of itself and /proc.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

constexpr long first_argument = 11, second_argument = 22;

// Runs dscope while this thread makes system calls. `action` runs at the first call that dscope sees. Call this
// function on the thread whose state the action reads: another thread waits for dscope.
std::string at_getppid(const std::string& action) {
  std::string clause = "syscall::getppid:entry /pid == $1 && tid == $2/ { " + action + " exit(0); }";
  std::atomic<bool> is_done = false;
  Outcome outcome;
  std::string pid = std::to_string(getpid()), tid = std::to_string(syscall(SYS_gettid));
  std::thread tracer([&] {
    outcome = dscope({"-qn", clause, pid, tid});
    is_done = true;
  });
  while (!is_done) {
    syscall(SYS_getppid, first_argument, second_argument);
    sched_yield();
  }
  tracer.join();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  // exit() ends the output with an empty line.
  if (outcome.out.ends_with("\n\n")) outcome.out.pop_back();
  return outcome.out;
}

// The values of these expressions, printed with `format` each.
std::vector<std::string> values(const std::vector<std::string>& expressions, const std::string& format) {
  std::string action;
  for (const std::string& expression : expressions) action += "printf(\"" + format + "\\n\", " + expression + "); ";
  std::istringstream lines(at_getppid(action));
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) found.push_back(line);
  found.resize(expressions.size());
  return found;
}

std::vector<long> numbers(const std::vector<std::string>& expressions) {
  std::vector<long> found;
  for (const std::string& text : values(expressions, "%d")) found.push_back(text.empty() ? -12345 : std::stol(text));
  return found;
}

std::string text(const std::string& expression) { return values({expression}, "%s")[0]; }
long number(const std::string& expression) { return numbers({expression})[0]; }

// The number in the line `NAME: number` of /proc/self/status.
long status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name + ":")) return std::stol(line.substr(name.size() + 1));
  ADD_FAILURE() << name;
  return -1;
}

// A field of /proc/self/stat, numbered from 1 as in proc(5).
long stat_field(size_t number) {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream fields(line.substr(line.rfind(')') + 2));
  std::string field;
  for (size_t i = 3; i <= number; ++i) fields >> field;
  return std::stol(field);
}

class Builtin : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_UNLESS_TRACING(); }
};

// ---------------------------------------------------------------- the process

TEST_F(Builtin, ReadsProcessAndUserIds) {
  std::vector<long> found =
      numbers({"pid", "tid", "ppid", "uid", "gid", "curpsinfo->pr_pid", "curpsinfo->pr_ppid", "curpsinfo->pr_pgid",
               "curpsinfo->pr_sid", "curpsinfo->pr_uid", "curpsinfo->pr_euid", "curpsinfo->pr_gid",
               "curpsinfo->pr_egid", "curpsinfo->pr_lwp.pr_lwpid", "curlwpsinfo->pr_lwpid"});
  long tid = syscall(SYS_gettid);
  std::vector<long> expected = {getpid(),  tid,      getppid(), getuid(), getgid(),  getpid(), getppid(), getpgrp(),
                                getsid(0), getuid(), geteuid(), getgid(), getegid(), getpid(), tid};
  EXPECT_EQ(found, expected);
}

TEST_F(Builtin, CountsThreads) {
  // This thread and the thread that waits for dscope.
  EXPECT_EQ(number("curpsinfo->pr_nlwp"), 2);
}

TEST_F(Builtin, DistinguishesThreadIdFromProcessId) {
  std::thread other([] {
    std::vector<long> found = numbers({"pid", "tid", "curpsinfo->pr_pid", "curlwpsinfo->pr_lwpid", "curthread->pid"});
    long tid = syscall(SYS_gettid);
    EXPECT_EQ(found, (std::vector<long>{getpid(), tid, getpid(), tid, tid}));
  });
  other.join();
}

TEST_F(Builtin, ReadsNamesAndArguments) {
  std::ifstream file("/proc/self/cmdline");
  std::string expected((std::istreambuf_iterator<char>(file)), {});
  long count = std::count(expected.begin(), expected.end(), '\0');
  std::string first = expected.c_str();
  expected.pop_back();
  std::replace(expected.begin(), expected.end(), '\0', ' ');
  std::vector<std::string> found =
      values({"execname", "curpsinfo->pr_fname", "curlwpsinfo->pr_name", "curpsinfo->pr_psargs",
              "copyinstr(*(uintptr_t *)copyin(curpsinfo->pr_argv, 8))",
              "strjoin(lltostr(curpsinfo->pr_argc), lltostr(sizeof(curpsinfo->pr_psargs)))"},
             "%s");
  std::string name = "e2e_tests";
  EXPECT_EQ(found[0], name);
  EXPECT_EQ(found[1], name);
  EXPECT_EQ(found[2], name);
  EXPECT_EQ(found[3], expected.substr(0, 79));
  EXPECT_EQ(found[4], first.substr(0, 256));
  EXPECT_EQ(found[5], std::to_string(count) + "80");
}

TEST_F(Builtin, ReadsEnvironment) {
  ASSERT_EQ(setenv("PATH", getenv("PATH"), 1), 0);
  std::ifstream file("/proc/self/environ");
  std::string first;
  std::getline(file, first, '\0');
  EXPECT_EQ(text("copyinstr(*(uintptr_t *)copyin(curpsinfo->pr_envp, 8))"), first.substr(0, 256));
}

TEST_F(Builtin, ReadsMemorySizes) {
  std::vector<long> found = numbers({"curpsinfo->pr_size", "curpsinfo->pr_rssize"});
  // The kernel batches resident page counts per CPU, so the total is approximate.
  EXPECT_NEAR(static_cast<double>(found[0]), static_cast<double>(status("VmSize")), 16384);
  EXPECT_NEAR(static_cast<double>(found[1]), static_cast<double>(status("VmRSS")), 4096);
  EXPECT_EQ(number("curpsinfo->pr_dmodel == PR_MODEL_LP64"), 1);
}

TEST_F(Builtin, ReadsStartAndCpuTime) {
  timespec now{}, since_boot{};
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  long start = now.tv_sec - since_boot.tv_sec + stat_field(22) / sysconf(_SC_CLK_TCK);
  std::vector<long> found = numbers({"curpsinfo->pr_start.tv_sec", "curpsinfo->pr_start.tv_nsec < 1000000000",
                                     "curpsinfo->pr_time.tv_sec * 1000 + curpsinfo->pr_time.tv_nsec / 1000000"});
  EXPECT_NEAR(static_cast<double>(found[0]), static_cast<double>(start), 1.5);
  EXPECT_EQ(found[1], 1);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  long used =
      (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
  EXPECT_LE(found[2], used + 10);
  EXPECT_GE(found[2], 0);
}

TEST_F(Builtin, ReadsThreadState) {
  cpu_set_t one, before;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(sched_getcpu()), &one);
  long bound = numbers({"curlwpsinfo->pr_bindpro"})[0];
  EXPECT_EQ(bound, CPU_COUNT(&before) == 1 ? sched_getcpu() : -1);
  std::string found = at_getppid(
      "printf(\"%d %c %d %s %d %d %d %d\\n\", curlwpsinfo->pr_state == SONPROC, curlwpsinfo->pr_sname, "
      "curlwpsinfo->pr_syscall, curlwpsinfo->pr_clname, curlwpsinfo->pr_onpro == cpu, curlwpsinfo->pr_nice, "
      "curlwpsinfo->pr_pri, curlwpsinfo->pr_stype);");
  EXPECT_EQ(found, "1 O " + std::to_string(SYS_getppid) + " TS 1 0 120 0\n");
}

TEST_F(Builtin, CopiesTranslatedStructures) {
  std::string found = at_getppid(
      "this->process = *curpsinfo; thread = *curlwpsinfo; printf(\"%d %s %d %d %s %d\\n\", this->process.pr_pid == "
      "pid, "
      "this->process.pr_fname, this->process.pr_lwp.pr_lwpid, thread.pr_lwpid == tid, thread.pr_name, "
      "this->process.pr_start.tv_sec == curpsinfo->pr_start.tv_sec);");
  EXPECT_EQ(found, "1 e2e_tests " + std::to_string(getpid()) + " 1 e2e_tests 1\n");
}

TEST_F(Builtin, TranslatesOtherTasks) {
  std::ifstream file("/proc/" + std::to_string(getppid()) + "/comm");
  std::string parent;
  std::getline(file, parent);
  std::ifstream command_file("/proc/" + std::to_string(getppid()) + "/cmdline");
  std::string command(std::istreambuf_iterator<char>{command_file}, {});
  std::replace(command.begin(), command.end(), '\0', ' ');
  constexpr size_t max_characters = 79;  // PRARGSZ
  command.resize(std::min(command.empty() ? 0 : command.size() - 1, max_characters));
  std::string found = at_getppid(
      "this->p = curthread->real_parent; printf(\"%d %s %s\\n\", (xlate <psinfo_t *> (this->p))->pr_pid, "
      "(xlate <psinfo_t *> (this->p))->pr_fname, (xlate <psinfo_t *> (this->p))->pr_psargs);");
  EXPECT_EQ(found, std::to_string(getppid()) + " " + parent + " " + command + "\n");
}

// ---------------------------------------------------------------- directories and files

// Changes the working directory for the lifetime of the object.
class Directory {
 public:
  explicit Directory(const fs::path& path) : before_(fs::current_path()) { fs::current_path(path); }
  ~Directory() { fs::current_path(before_); }

 private:
  fs::path before_;
};

TEST_F(Builtin, ReadsWorkingDirectoryAcrossMounts) {
  for (const char* path : {"/", "/usr/bin", "/dev/shm", "/proc/self", "/sys/kernel", "/sys/kernel/debug"}) {
    std::error_code problem;
    if (!fs::is_directory(path, problem)) continue;
    Directory there(path);
    EXPECT_EQ(text("cwd"), fs::read_symlink("/proc/self/cwd").string());
  }
  EXPECT_EQ(text("root"), "/");
}

TEST_F(Builtin, ReadsDeepWorkingDirectory) {
  fs::path top = fs::temp_directory_path() / ("dscope_deep_" + std::to_string(getpid()));
  fs::path deep = top;
  for (int i = 0; i < 30; ++i) deep /= "d" + std::to_string(i);
  fs::create_directories(deep);
  {
    Directory there(deep);
    EXPECT_EQ(text("cwd"), deep.string().substr(0, 256));
  }
  fs::remove_all(top);
}

TEST_F(Builtin, ReadsPathOfExecutable) {
  EXPECT_EQ(text("d_path(&curthread->mm->exe_file->f_path)"), fs::read_symlink("/proc/self/exe").string());
}

TEST_F(Builtin, DescribesOpenFiles) {
  fs::path path = "/dev/shm/dscope_file_" + std::to_string(getpid());
  int file = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND, 0600);
  ASSERT_GE(file, 0);
  ASSERT_EQ(write(file, "12345", 5), 5);
  std::string fd = "fds[" + std::to_string(file) + "].";
  std::vector<std::string> found =
      values({fd + "fi_name", fd + "fi_dirname", fd + "fi_pathname", fd + "fi_fs", fd + "fi_mount"}, "%s");
  EXPECT_EQ(found, (std::vector<std::string>{path.filename(), "/dev/shm", path, "tmpfs", "/dev/shm"}));
  std::vector<long> counts = numbers({fd + "fi_offset", fd + "fi_oflags & O_ACCMODE", fd + "fi_oflags & O_APPEND"});
  EXPECT_EQ(counts, (std::vector<long>{5, O_RDWR, O_APPEND}));
  close(file);
  unlink(path.c_str());
}

TEST_F(Builtin, DescribesFilesWithoutPaths) {
  int pipes[2], sockets[2];
  ASSERT_EQ(pipe(pipes), 0);
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  std::string in_pipe = "fds[" + std::to_string(pipes[0]) + "].",
              in_socket = "fds[" + std::to_string(sockets[0]) + "].";
  std::vector<std::string> found =
      values({in_pipe + "fi_name", in_pipe + "fi_pathname", in_pipe + "fi_fs", in_socket + "fi_name",
              in_socket + "fi_fs", "fds[9999].fi_name", "fds[-1].fi_pathname", "fds[9999].fi_fs"},
             "%s");
  EXPECT_EQ(found, (std::vector<std::string>{"<pipe>", "<pipe>", "pipefs", "<socket>", "sockfs", "<none>", "<none>",
                                             "<none>"}));
  EXPECT_EQ(numbers({"fds[9999].fi_offset", "fds[9999].fi_oflags"}), (std::vector<long>{-1, 0}));
  for (int fd : {pipes[0], pipes[1], sockets[0], sockets[1]}) close(fd);
}

// ---------------------------------------------------------------- CPUs, registers

TEST_F(Builtin, ReadsCpuTopology) {
  std::vector<long> found = numbers({"curcpu->cpu_id == cpu", "chip == curcpu->cpu_chip", "lgrp == curcpu->cpu_lgrp",
                                     "pset", "curcpu->cpu_info.pi_state", "curlwpsinfo->pr_lgrp == lgrp"});
  EXPECT_EQ(found, (std::vector<long>{1, 1, 1, 0, 2, 1}));
  std::string package;
  std::ifstream("/sys/devices/system/cpu/cpu0/topology/physical_package_id") >> package;
  EXPECT_EQ(number("((cpuinfo_t *)__cpuinfo(0))->cpu_chip"), package.empty() ? 0 : std::stol(package));
  EXPECT_EQ(number("((cpuinfo_t *)__cpuinfo(-1))->cpu_id"), -1);
  EXPECT_EQ(text("curcpu->cpu_info.pi_processor_type"), "x86_64");
}

// The unified (v2) hierarchy has number 0.
TEST_F(Builtin, ReadsControlGroup) {
  std::ifstream groups("/proc/self/cgroup");
  std::string path;
  for (std::string line; std::getline(groups, line);)
    if (line.starts_with("0::")) path = line.substr(3);
  if (path.empty()) GTEST_SKIP() << "no unified hierarchy";
  EXPECT_EQ(text("cgroup_path"), path);
  EXPECT_EQ(number("cgroup_id == curpsinfo->pr_projid"), 1);
}

// A process in the initial PID namespace, whose inode is fixed, is in no container.
TEST_F(Builtin, NamesContainers) {
  std::error_code error;
  bool is_outside = fs::read_symlink("/proc/self/ns/pid", error) == "pid:[4026531836]";
  char host[256] = "";
  gethostname(host, sizeof host);
  EXPECT_EQ(text("zonename"), is_outside ? "global" : host);
  if (run({"unshare", "-puf", "true"}).status != 0) GTEST_SKIP() << "no namespaces";
  Outcome outcome = dscope({"-qc", "unshare -puf sh -c 'hostname box; exit 3'", "-n",
                            "syscall::exit_group:entry /execname == \"sh\" && progenyof($target) && arg0 == 3/ "
                            "{ printf(\"%s\\n\", zonename); }"});
  EXPECT_EQ(outcome.out, "box\n\n") << outcome.err;
}

TEST_F(Builtin, ReadsUserRegisters) {
  std::vector<long> found =
      numbers({"uregs[R_RDI]", "uregs[R_RSI]", "uregs[R_ERR]", "uregs[R_CS] & 3", "uregs[R_PC] == uregs[R_RIP]",
               "uregs[R_FP] == uregs[R_RBP]", "uregs[R_SS] & 3", "uregs[R_DS]", "uregs[R_TRAPNO] < 256"});
  EXPECT_EQ(found, (std::vector<long>{first_argument, second_argument, SYS_getppid, 3, 1, 1, 3, 0, 1}));
  // The stack pointer must lie in the stack mapping.
  std::ifstream maps("/proc/self/maps");
  unsigned long begin = 0, end = 0;
  for (std::string line; std::getline(maps, line);)
    if (line.ends_with("[stack]")) sscanf(line.c_str(), "%lx-%lx", &begin, &end);
  auto pointer = static_cast<unsigned long>(number("uregs[R_SP]"));
  EXPECT_TRUE(pointer >= begin && pointer < end) << std::hex << pointer;
}

// ---------------------------------------------------------------- the firing

TEST_F(Builtin, ReadsProbeNamesAndIds) {
  EXPECT_EQ(
      at_getppid("printf(\"%s:%s:%s:%s %d %d\\n\", probeprov, probemod, probefunc, probename, id > 0, epid != 0);"),
      "syscall:vmlinux:getppid:entry 1 1\n");
}

TEST_F(Builtin, ReadsMissingArgumentsAsZero) {
  std::vector<long> found = numbers({"(string)\"\" == \"\"", "arg6", "arg9"});
  EXPECT_EQ(found, (std::vector<long>{1, 0, 0}));
}

TEST_F(Builtin, ReadsClocks) {
  timespec now{}, monotonic{};
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  std::vector<long> found = numbers({"timestamp", "walltimestamp", "timestamp == timestamp", "vtimestamp > 0"});
  constexpr double second = 1e9;
  EXPECT_NEAR(static_cast<double>(found[0]) / second, static_cast<double>(monotonic.tv_sec), 30);
  EXPECT_NEAR(static_cast<double>(found[1]) / second, static_cast<double>(now.tv_sec), 30);
  EXPECT_EQ(found[2], 1);
  EXPECT_EQ(found[3], 1);
}

TEST_F(Builtin, ReadsStackDepthsAndCaller) {
  std::vector<long> found = numbers({"stackdepth > 0", "ustackdepth > 0", "caller != 0", "errno"});
  EXPECT_EQ(found, (std::vector<long>{1, 1, 1, 0}));
}

TEST_F(Builtin, ComparesNullWithTask) {
  std::vector<long> found = numbers({"NULL", "curthread->tgid == pid", "curthread == NULL", "sizeof(NULL)"});
  EXPECT_EQ(found, (std::vector<long>{0, 1, 0, 8}));
}

}  // namespace
}  // namespace dscope::e2e
