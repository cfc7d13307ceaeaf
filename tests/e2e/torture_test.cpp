// Tracers that are killed at a random moment: their targets run on undisturbed, and nothing of the tracers stays in the
// kernel. DSCOPE_TORTURE_ROUNDS sets the number of rounds. DSCOPE_TORTURE_SEED repeats a run.
#include <bpf/bpf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "e2e_support.h"
#include "piped.h"

namespace dscope::e2e {
namespace {

using Clock = std::chrono::steady_clock;

using std::chrono::microseconds;

long number_from(const char* variable, long fallback) {
  const char* text = std::getenv(variable);
  return text == nullptr ? fallback : std::atol(text);
}

// Third field of a process's stat: R, S, T (stopped), t (traced)... Returns 0 if the process has exited.
char state_of(pid_t pid) {
  std::string text = content_of("/proc/" + std::to_string(pid) + "/stat");
  size_t name_end = text.rfind(") ");
  return name_end == std::string::npos ? '\0' : text[name_end + 2];
}

// ---------------------------------------------------------------- leftovers in the kernel

using Tag = std::string;

// Tags of the BPF programs that a process holds.
std::set<Tag> programs_of(pid_t pid) {
  std::set<Tag> tags;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fdinfo", problem)) {
    std::istringstream text(content_of(entry.path()));
    for (std::string word; text >> word;)
      if (word == "prog_tag:" && text >> word) tags.insert(word);
  }
  return tags;
}

std::string tag_of(const bpf_prog_info& info) {
  std::string text;
  for (unsigned char byte : info.tag) {
    constexpr char digits[] = "0123456789abcdef";
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

// The number of programs with these tags in the kernel, plus the links to them.
size_t left_in_kernel(const std::set<Tag>& tags) {
  size_t count = 0;
  std::set<uint32_t> programs;
  for (uint32_t id = 0; bpf_prog_get_next_id(id, &id) == 0;) {
    int fd = bpf_prog_get_fd_by_id(id);
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 && tags.contains(tag_of(info))) programs.insert(id);
    if (fd >= 0) ::close(fd);
  }
  for (uint32_t id = 0; bpf_link_get_next_id(id, &id) == 0;) {
    int fd = bpf_link_get_fd_by_id(id);
    bpf_link_info info{};
    uint32_t size = sizeof info;
    if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0) count += programs.count(info.prog_id);
    if (fd >= 0) ::close(fd);
  }
  return count + programs.size();
}

// The number of breakpoints in a process's code, by comparison with its file. Empty if other bytes differ, or if the
// code cannot be compared.
std::optional<size_t> breakpoints_in(pid_t pid, const std::string& path) {
  std::istringstream maps(content_of("/proc/" + std::to_string(pid) + "/maps"));
  std::string file = content_of(path);
  int memory = ::open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
  bool is_read = memory >= 0, has_code = false;
  size_t breakpoints = 0, others = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long start = 0, end = 0, offset = 0;
    bool is_code = std::sscanf(line.c_str(), "%lx-%lx r-xp %lx", &start, &end, &offset) == 3 && line.ends_with(path);
    if (!is_code) continue;
    has_code = true;
    std::string code(std::min(end - start, file.size() - offset), '\0');
    is_read &=
        ::pread(memory, code.data(), code.size(), static_cast<off_t>(start)) == static_cast<ssize_t>(code.size());
    for (size_t i = 0; i < code.size(); ++i)
      if (code[i] != file[offset + i]) ++(code[i] == '\xcc' ? breakpoints : others);
  }
  ::close(memory);
  return is_read && has_code && others == 0 ? std::optional{breakpoints} : std::nullopt;
}

// Linux 6.18 removes uprobes in the thread that closes them. If that thread is being killed, the kernel may fail to
// allocate the memory it needs: it logs "failed to unregister, leaking uprobe" and leaves a breakpoint that does
// nothing. dscope cannot prevent this. Counts these log messages for the watched processes from now on.
class KernelLeaks {
 public:
  KernelLeaks() : log_(::open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) { ::lseek(log_, 0, SEEK_END); }
  KernelLeaks(const KernelLeaks&) = delete;
  KernelLeaks& operator=(const KernelLeaks&) = delete;
  ~KernelLeaks() { ::close(log_); }

  void watch(pid_t pid) { pids_.insert(pid); }
  size_t count() {
    std::array<char, 8192> record;
    for (;;) {
      ssize_t size = ::read(log_, record.data(), record.size());
      if (size < 0 && errno == EPIPE) continue;  // overwritten records were skipped
      if (size <= 0) return count_;
      std::string_view text(record.data(), static_cast<size_t>(size));
      size_t at = text.find("uprobe: ");
      int pid = 0;
      bool is_leak = at != std::string_view::npos && text.find("failed to unregister, leaking uprobe") > at &&
                     std::sscanf(std::string(text.substr(at)).c_str(), "uprobe: %*[^:]:%d", &pid) == 1;
      if (is_leak && pids_.contains(pid)) ++count_;
    }
  }

 private:
  int log_;
  std::set<pid_t> pids_;
  size_t count_ = 0;
};

// ---------------------------------------------------------------- tests

const std::string worker_path = DSCOPE_TRIGGERS "/works";

// Different tracers of the worker. Every program contains the worker's number, which makes its BPF tag unique.
std::vector<std::vector<std::string>> tracer_variants() {
  return {
      {"-n",
       "pid$target:a.out:grind*:entry, pid$target:a.out:grind*:return /pid == $target/ { @[probefunc] = count(); }"},
      {"-n", "pid$target:a.out:grind_leaf:, pid$target:a.out:grind_many: /pid == $target/ { @[probename] = count(); }"},
      {"-n", "uprobe:" + worker_path + ":grind*:entry /pid == $target/ { @[ustack(5)] = count(); }"},
      {"-xuretprobes", "-n", "uprobe:" + worker_path + ":grind_jump:return /pid == $target/ { @ = count(); }"},
      {"-n", "mill$target:::ground /pid == $target/ { @ = sum(arg1 - arg0); }"},
      {"-n",
       "pid$target:libc:*alloc*:entry, pid$target:libc:*alloc*:return /pid == $target/ { @[probefunc] = count(); }"},
      {"-xfollow=fork,exec", "-n",
       "pid$target:a.out:compute*:, pid$target:a.out:later: /pid == $target/ { @ = count(); }"},
      {"-xfollow=fork", "-n", "pid$target:a.out:compute*: /pid == $target/ { @ = count(); }"},
  };
}

std::vector<std::string> tracer_of(const Piped& worker, const std::vector<std::string>& variant) {
  std::vector<std::string> command{DSCOPE_PROGRAM, "-q", "-p", std::to_string(worker.pid())};
  command.insert(command.end(), variant.begin(), variant.end());
  command.insert(command.end(), {"-n", "BEGIN { printf(\"up\\n\"); }"});
  return command;
}

struct Report {
  long rounds = -1, wrong = -1;
  int watched = -1;
};

Report ask(Piped& worker) {
  worker.write_byte();
  Report report;
  std::string line = worker.read_line();
  int found =
      std::sscanf(line.c_str(), "rounds %ld wrong %ld watched %d", &report.rounds, &report.wrong, &report.watched);
  EXPECT_EQ(found, 3) << line;
  return report;
}

TEST(Torture, WorkerOutlivesKilledTracers) {
  SKIP_UNLESS_TRACING();
  long rounds = number_from("DSCOPE_TORTURE_ROUNDS", 20), seed = number_from("DSCOPE_TORTURE_SEED", 1);
  std::mt19937 random(static_cast<uint32_t>(seed));
  auto delay = [&](long max_us) { ::usleep(static_cast<useconds_t>(random() % static_cast<uint32_t>(max_us))); };

  Piped worker({worker_path, "2"});
  ask(worker);  // waits for exec: until it answers, the process may still be our fork
  std::vector<std::vector<std::string>> variants = tracer_variants();
  std::set<Tag> tags;
  std::vector<microseconds> start_times;
  for (const auto& variant : variants) {
    Clock::time_point start = Clock::now();
    Piped tracer(tracer_of(worker, variant));
    std::string line = tracer.read_line();
    ASSERT_EQ(line, "up\n") << variant.back();
    start_times.push_back(std::chrono::duration_cast<microseconds>(Clock::now() - start));
    EXPECT_GT(left_in_kernel(programs_of(tracer.pid())), 1U);
    tags.merge(programs_of(tracer.pid()));
  }

  KernelLeaks leaks;
  Report before = ask(worker);
  for (long i = 0; i < rounds; ++i) {
    SCOPED_TRACE("round " + std::to_string(i) + " of seed " + std::to_string(seed));
    size_t variant = random() % variants.size();
    Piped tracer(tracer_of(worker, variants[variant]));
    leaks.watch(tracer.pid());
    // One third dies at start-up, one third while it traces, one third while it detaches.
    auto phase = random() % 3;
    if (phase == 0) delay(start_times[variant].count());
    else tracer.read_line();
    if (phase == 1) delay(20'000);
    if (phase == 2) {
      tracer.signal(SIGINT);
      delay(60'000);
    }
    tracer.kill(SIGKILL);
    Report now;
    ASSERT_TRUE(comes_true([&] { return (now = ask(worker)).rounds > before.rounds; }));
    ASSERT_EQ(now.wrong, 0);
    ASSERT_TRUE(std::strchr("RSD", state_of(worker.pid())) != nullptr) << state_of(worker.pid());
    before = now;
  }
  EXPECT_TRUE(comes_true([&] { return left_in_kernel(tags) == 0; })) << left_in_kernel(tags);
  // The kernel may leave breakpoints that it has logged itself.
  std::optional<size_t> left;
  EXPECT_TRUE(comes_true([&] {
    left = breakpoints_in(worker.pid(), worker_path);
    return left && *left <= leaks.count();
  })) << (left ? std::to_string(*left) : "other bytes than breakpoints")
      << " left, and the kernel reported " << leaks.count();
  EXPECT_TRUE(comes_true([&] { return ask(worker).watched == 0 || leaks.count() != 0; }));
  if (leaks.count() != 0)
    std::printf("the kernel failed to remove %zu probes of killed tracers; %zu breakpoints are left\n", leaks.count(),
                left.value_or(0));
  EXPECT_EQ(content_of("/sys/kernel/tracing/uprobe_events").find(worker_path), std::string::npos);
  EXPECT_EQ(ask(worker).wrong, 0);
}

// The child that the tracer holds stopped, or 0 if there is none (yet).
pid_t held_child_of(pid_t tracer) {
  std::string number = std::to_string(tracer);
  std::istringstream children(content_of("/proc/" + number + "/task/" + number + "/children"));
  for (pid_t child = 0; children >> child;)
    if (state_of(child) == 't') return child;
  return 0;
}

// Once the tracer is dead, its command runs on or is killed: either way it ends.
TEST(Torture, CommandIsNeverLeftStopped) {
  SKIP_UNLESS_TRACING();
  long rounds = number_from("DSCOPE_TORTURE_ROUNDS", 20), seed = number_from("DSCOPE_TORTURE_SEED", 1);
  std::mt19937 random(static_cast<uint32_t>(seed));
  // Orphans become children of this process, which then can wait for their end.
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  for (long i = 0; i < rounds; ++i) {
    const char* evaltime = std::array{"exec", "preinit", "postinit", "main"}[static_cast<size_t>(i % 4)];
    SCOPED_TRACE("round " + std::to_string(i) + " of seed " + std::to_string(seed) + ", " + evaltime);
    // In every second group of four, the command is held once more, when it executes the program.
    bool is_followed = i / 4 % 2 == 1;
    std::string command = is_followed ? "/usr/bin/env " DSCOPE_TRIGGERS "/starts" : DSCOPE_TRIGGERS "/starts";
    Piped tracer({DSCOPE_PROGRAM, "-q", "-x", std::string{"evaltime="} + evaltime, "-x",
                  is_followed ? "follow=fork,exec" : "follow=none", "-c", command, "-n",
                  "pid$target:a.out:worked:entry"});
    pid_t held = 0;
    // A short hold may end before this process sees it.
    ASSERT_TRUE(comes_true([&] { return (held = held_child_of(tracer.pid())) != 0 || state_of(tracer.pid()) == 'Z'; }));
    // Some tracers die while they hold the command. The others show that the command was about to run.
    ::usleep(static_cast<useconds_t>(random() % 200'000));
    tracer.kill(SIGKILL);
    bool has_ended = comes_true([] {
      pid_t ended;
      while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
      }
      return ended < 0 && errno == ECHILD;
    });
    ASSERT_TRUE(has_ended) << "state " << state_of(held);
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

// With rtldstop, a process of -p waits at each library load as a command does, and runs on when the tracer ends.
TEST(Torture, ProcessWaitsAtLibraryLoads) {
  SKIP_UNLESS_TRACING();
  for (int i = 0; i < 5; ++i) {
    Piped target({DSCOPE_TRIGGERS "/loads", "1", "wait"});
    ASSERT_TRUE(comes_true([&] { return state_of(target.pid()) == 'S'; }));
    Piped tracer(
        {DSCOPE_PROGRAM, "-q", "-xrtldstop", "-p", std::to_string(target.pid()), "-n",
         "tick-10ms /!up++/ { printf(\"up\\n\"); } pid$target:libplug*:plugged:entry { trace(\"plugged\\n\"); }"});
    ASSERT_EQ(tracer.read_line(), "up\n");
    target.write_byte();
    ASSERT_EQ(tracer.read_line(), "plugged\n");
    int status = -1;
    EXPECT_TRUE(comes_true([&] { return ::waitpid(target.pid(), &status, WNOHANG) == target.pid(); }));
    EXPECT_EQ(status, 0);
  }
}

// Nothing reads the output pipe, as with `| less`, so dscope blocks in write().
TEST(Torture, SecondSignalEndsBlockedWrite) {
  SKIP_UNLESS_TRACING();
  Piped tracer({DSCOPE_PROGRAM, "-qn", "BEGIN { printf(\"ready\\n\"); } profile-1999 { printf(\"%0400d\\n\", 1); }"});
  ASSERT_EQ(tracer.read_line(), "ready\n");
  std::string folder = "/proc/" + std::to_string(tracer.pid());
  auto waits = [&] { return content_of(folder + "/wchan").find("pipe_write") != std::string::npos; };
  auto has_received_signals = [&] {
    std::string status = content_of(folder + "/status");
    return status.find("SigPnd:\t0000000000000000") != std::string::npos &&
           status.find("ShdPnd:\t0000000000000000") != std::string::npos;
  };
  ASSERT_TRUE(comes_true(waits));
  tracer.signal(SIGINT);
  ASSERT_TRUE(comes_true([&] { return has_received_signals() && waits(); }));
  tracer.signal(SIGINT);
  int status = -1;
  ASSERT_TRUE(comes_true([&] { return ::waitpid(tracer.pid(), &status, WNOHANG) > 0; }));
  EXPECT_EQ(status, 0);
}

// The command loads a library, and waits for the tracer, thousands of times. It survives the tracer's death.
TEST(Torture, CommandThatLoadsLibrariesRunsOn) {
  SKIP_UNLESS_TRACING();
  long rounds = number_from("DSCOPE_TORTURE_ROUNDS", 20), seed = number_from("DSCOPE_TORTURE_SEED", 1);
  std::mt19937 random(static_cast<uint32_t>(seed));
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  for (long i = 0; i < rounds; ++i) {
    SCOPED_TRACE("round " + std::to_string(i) + " of seed " + std::to_string(seed));
    Piped tracer({DSCOPE_PROGRAM, "-q", "-Z", "-c", DSCOPE_TRIGGERS "/loads 1000 again", "-n",
                  "pid$target:libnever*:never:entry, never$target:::loaded { exit(1); }", "-n",
                  "pid$target:a.out:main:entry { printf(\"runs\\n\"); }"});
    ASSERT_EQ(tracer.read_line(), "runs\n");
    ::usleep(static_cast<useconds_t>(random() % 100'000));
    tracer.kill(SIGKILL);
    int status = -1;
    ASSERT_TRUE(comes_true([&] { return ::waitpid(-1, &status, WNOHANG) > 0; })) << "it is still stopped";
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

// dscope holds a newly started program while it reads its probes. The program still ends normally.
TEST(Torture, LaterProgramsRunOn) {
  SKIP_UNLESS_TRACING();
  long rounds = number_from("DSCOPE_TORTURE_ROUNDS", 20), seed = number_from("DSCOPE_TORTURE_SEED", 1);
  std::mt19937 random(static_cast<uint32_t>(seed));
  std::string name = std::filesystem::temp_directory_path() / "torture_XXXXXX";
  const std::filesystem::path directory = ::mkdtemp(name.data());
  for (long i = 0; i < rounds; ++i) {
    SCOPED_TRACE("round " + std::to_string(i) + " of seed " + std::to_string(seed));
    std::string program = directory / ("probes" + std::to_string(i));
    std::filesystem::copy_file(DSCOPE_TRIGGERS "/probes", program);
    Piped tracer({DSCOPE_PROGRAM, "-q", "-Z", "-n", "shop*:::sale { @[execname] = count(); }", "-n",
                  "BEGIN { printf(\"up\\n\"); }"});
    ASSERT_EQ(tracer.read_line(), "up\n");
    Piped started({program, "100"});
    ::usleep(static_cast<useconds_t>(random() % (i % 2 == 0 ? 3'000 : 60'000)));
    tracer.kill(i % 4 < 2 ? SIGKILL : SIGINT);
    int status = -1;
    ASSERT_TRUE(comes_true([&] { return ::waitpid(started.pid(), &status, WNOHANG) == started.pid(); }))
        << "it is still stopped";
    EXPECT_EQ(status, 0);
  }
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace dscope::e2e
