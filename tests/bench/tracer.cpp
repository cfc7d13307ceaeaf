#include "tracer.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

#include "machine.h"
#include "support/fd.h"
#include "support/text/format_join.h"

namespace dscope::bench {

namespace {

constexpr double ready_limit_ms = 60'000;

double milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

void redirect(int descriptor, const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(126);
}

[[noreturn]] void become(const Command& command, int cpu, const std::string& output, const std::string& errors) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  redirect(STDOUT_FILENO, output);
  redirect(STDERR_FILENO, errors);
  if (!bind_to_cpu(cpu)) _exit(126);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

// Waits for the child and reads its resource usage.
Outcome reap(pid_t pid, double started) {
  int status = 0;
  rusage usage{};
  wait4(pid, &status, 0, &usage);
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .cpu_ms = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
          .wall_ms = wall_ms() - started,
          .peak_mib = static_cast<double>(usage.ru_maxrss) / 1024};
}

}  // namespace

std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool is_installed(const std::string& program) {
  std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin");
  for (std::string directory; std::getline(path, directory, ':');) {
    if (access((directory + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

Result<Tracer> Tracer::start(const Command& command, int cpu) {
  char path[] = "/tmp/dscope-bench.XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return fail(Error::from_errno(errno, "cannot make a temporary file"));
  close(file);
  Tracer tracer;
  tracer.output_path_ = path;
  tracer.error_path_ = tracer.output_path_ + ".err";
  tracer.started_ = wall_ms();
  tracer.pid_ = fork();
  if (tracer.pid_ == 0) become(command, cpu, tracer.output_path_, tracer.error_path_);
  if (tracer.pid_ < 0) return fail(Error::from_errno(errno, "cannot start {}", command[0]));
  return tracer;
}

Tracer::Tracer(Tracer&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      started_(other.started_),
      output_path_(std::exchange(other.output_path_, {})),
      error_path_(std::exchange(other.error_path_, {})) {}

Tracer::~Tracer() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (output_path_.empty()) return;
  unlink(output_path_.c_str());
  unlink(error_path_.c_str());
}

Result<double> Tracer::wait_ready() {
  const timespec interval{0, 200'000};
  while (wall_ms() - started_ < ready_limit_ms) {
    if ((file_text(output_path_) + file_text(error_path_)).find("ready\n") != std::string::npos) {
      return wall_ms() - started_;
    }
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
      pid_ = -1;
      break;
    }
    nanosleep(&interval, nullptr);
  }
  return fail(Error::make("the tracer did not get ready: {}", error_text()));
}

double Tracer::cpu_ms() const {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) / 1e6;
}

Outcome Tracer::wait() { return reap(std::exchange(pid_, -1), started_); }

Outcome Tracer::stop() {
  // Repeats the signal, because bpftrace loses one that arrives just before it starts to wait. Finally kills the
  // process.
  constexpr int repeat_ms = 2000, attempts = 60;
  const double interrupted = wall_ms();
  const Fd process{static_cast<int>(syscall(SYS_pidfd_open, pid_, 0))};
  pollfd exited{process.get(), POLLIN, 0};
  int sent = 0;
  do kill(pid_, sent < attempts ? SIGINT : SIGKILL);
  while (poll(&exited, 1, repeat_ms) == 0 && sent++ <= attempts);
  Outcome outcome = wait();
  outcome.exit_ms = wall_ms() - interrupted;
  return outcome;
}

std::string Tracer::error_text() const { return file_text(error_path_); }

Result<Outcome> run_to_end(const Command& command) {
  DS_TRY(Tracer tracer, Tracer::start(command, -1));
  const Outcome outcome = tracer.wait();
  if (outcome.status != 0) {
    return fail(
        Error::make("{} failed with status {}: {}", fmt::join(command, " "), outcome.status, tracer.error_text()));
  }
  return outcome;
}

}  // namespace dscope::bench
