// Commands are forked, blocked on a pipe, seized by ptrace, and run to their start point, where they stay stopped until
// resume(). If dscope dies, the kernel kills commands that are still held. Processes of -p are only watched.
#include "runtime/targets/targets.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "runtime/elf/process_maps.h"
#include "runtime/targets/command_file.h"
#include "runtime/targets/start_point.h"
#include "runtime/targets/target_watch.h"
#include "support/fd.h"
#include "support/spawn_signals.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

// Forks are traced because a breakpoint on the way to the start point must not stay in copies of the child.
constexpr unsigned long hold_options =
    PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;

enum class Hold : uint8_t { None, Ptrace, Pipe };

struct Target {
  pid_t pid = 0;
  Fd pidfd;
  bool is_command = false;
  Hold hold = Hold::None;
  Fd go;  // Hold::Pipe: a byte written here starts the command
  bool has_ended = false;
};

Fd open_pidfd(pid_t pid) { return Fd{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))}; }

std::vector<std::string> split_words(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  std::vector<std::string> words;
  size_t start = 0;
  while ((start = text.find_first_not_of(blanks, start)) != std::string_view::npos) {
    size_t end = std::min(text.find_first_of(blanks, start), text.size());
    words.emplace_back(text.substr(start, end - start));
    start = end;
  }
  return words;
}

// Null-terminated array for exec; valid as long as `words`.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// This process's environment with the changes for commands. A variable that is both set and unset is set.
std::vector<std::string> environment_of(const TargetSettings& settings) {
  auto name_of = [](std::string_view variable) { return variable.substr(0, variable.find('=')); };
  std::vector<std::string> variables;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
    auto is_changed = [&](const std::string& change) { return name_of(change) == name_of(*variable); };
    if (std::none_of(settings.unset.begin(), settings.unset.end(), is_changed) &&
        std::none_of(settings.set.begin(), settings.set.end(), is_changed))
      variables.emplace_back(*variable);
  }
  for (auto at = settings.set.begin(); at != settings.set.end(); ++at) {
    auto is_later = [&](const std::string& other) { return name_of(other) == name_of(*at); };
    if (std::none_of(at + 1, settings.set.end(), is_later)) variables.push_back(*at);
  }
  return variables;
}

struct Pipe {
  Fd read_end, write_end;
  static Result<Pipe> create() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) < 0) return fail(Error::from_errno(errno, "cannot create a pipe"));
    return Pipe{Fd{ends[0]}, Fd{ends[1]}};
  }
};

bool read_byte(int fd) {
  char byte;
  ssize_t got;
  do got = ::read(fd, &byte, 1);
  while (got < 0 && errno == EINTR);
  return got == 1;
}

// Runs in the child: waits for the byte, executes the command, or writes the errno of exec to `failure`. Must not
// allocate, as it runs between fork and exec. `elf_file`: of the command; nullptr: it may be a script.
[[noreturn]] void become(const char* elf_file, char* const* words, char* const* environment, int go, int failure) {
  if (!read_byte(go)) ::_exit(127);  // the parent has died
  for (int signal : ignored_signals) ::signal(signal, SIG_DFL);
  if (elf_file != nullptr) ::execve(elf_file, words, environment);
  else ::execvpe(words[0], words, environment);
  int error_number = errno;
  [[maybe_unused]] ssize_t written = ::write(failure, &error_number, sizeof error_number);
  ::_exit(127);
}

// 0 if the command runs, else the errno of exec.
int exec_failure(int fd) {
  int error_number = 0;
  ssize_t got;
  do got = ::read(fd, &error_number, sizeof error_number);
  while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof error_number) ? error_number : 0;
}

class LiveTargets : public Targets {
 public:
  explicit LiveTargets(const TargetSettings& settings) : settings_(settings) {}
  ~LiveTargets() override {
    for (Target& target : targets_) {
      if (!target.is_command || target.has_ended) continue;
      ::kill(target.pid, SIGKILL);
      ::waitpid(target.pid, nullptr, 0);
    }
  }

  Result<> start_watch() {
    if (!settings_.follows_execs) return {};
    return start_watch({.has_execs = true, .has_children = settings_.follows_forks});
  }

  Result<> start_watch(TargetWatch::Scope scope) {
    DS_TRY(TargetWatch watch, TargetWatch::start(scope));
    watch_.emplace(std::move(watch));
    return {};
  }

  Result<> start_command(const TargetRequest& request) {
    std::vector<std::string> words = request.words.empty() ? split_words(request.text) : request.words;
    if (words.empty()) return fail(cannot_execute(request.text, ENOENT));
    std::vector<std::string> variables = environment_of(settings_);
    std::vector<char*> arguments = pointers_to(words), environment = pointers_to(variables);
    std::string file = file_of_command(words[0]);
    bool is_elf = is_elf_file(file);

    DS_TRY(Pipe go, Pipe::create());
    DS_TRY(Pipe failure, Pipe::create());
    pid_t pid = ::fork();
    if (pid < 0) return fail(Error::from_errno(errno, "failed to create a process for {}", words[0]));
    if (pid == 0) {
      go.write_end.reset();  // else the read would not end if the parent dies
      become(is_elf ? file.c_str() : nullptr, arguments.data(), environment.data(), go.read_end.get(),
             failure.write_end.get());
    }
    failure.write_end.reset();
    // From here on the destructor takes care of the child.
    targets_.push_back({.pid = pid, .pidfd = open_pidfd(pid), .is_command = true, .go = std::move(go.write_end)});
    Target& target = targets_.back();
    if (!target.pidfd) return fail(Error::from_errno(errno, "failed to grab pid {}", pid));
    if (::ptrace(PTRACE_SEIZE, pid, nullptr, hold_options) < 0) {
      target.hold = Hold::Pipe;
      return !file.empty() ? Result<>{} : fail(cannot_execute(words[0], ENOENT));
    }
    return run_to_stop(target, words[0], failure.read_end.get());
  }

  Result<> grab(const std::string& text) {
    pid_t pid = parse_integer<pid_t>(text).value_or(0);
    if (pid <= 0) return fail(Error::make("invalid pid: {}", text));
    Fd pidfd = open_pidfd(pid);
    int problem = errno;
    if (uint32_t process = pidfd ? 0 : process_of_thread(static_cast<uint32_t>(pid)); process != 0)
      return fail(Error::make("{} is a thread of process {}", pid, process));
    if (!pidfd && problem == ESRCH) return fail(Error::make("No such process"));
    if (!pidfd) return fail(Error::from_errno(problem, "failed to grab pid {}", pid));
    targets_.push_back({.pid = pid, .pidfd = std::move(pidfd)});
    return {};
  }

  bool empty() const override { return targets_.empty(); }
  int first_pid() const override { return targets_.empty() ? 0 : targets_.front().pid; }

  std::vector<uint32_t> pids() const override {
    std::vector<uint32_t> pids;
    for (const Target& target : targets_) pids.push_back(static_cast<uint32_t>(target.pid));
    return pids;
  }

  bool has_commands() const override { return std::ranges::any_of(targets_, &Target::is_command); }
  bool can_wait_at_loads() const override {
    return std::ranges::all_of(targets_, [](const Target& target) { return target.hold == Hold::Ptrace; });
  }
  void resume(AtLoads at_loads) override {
    if (at_loads == AtLoads::Stop && !watch_) start_watch({.has_children = settings_.follows_forks});
    for (Target& target : targets_) {
      if (target.has_ended) continue;
      if (target.hold == Hold::Ptrace && watch_) watch_->take_over(target.pid);
      else if (target.hold == Hold::Ptrace) ::ptrace(PTRACE_DETACH, target.pid, nullptr, nullptr);
      if (!target.is_command && watch_) watch_->seize(target.pid);
      if (target.hold == Hold::Pipe) [[maybe_unused]]
        ssize_t written = ::write(target.go.get(), "", 1);
      target.hold = Hold::None;
    }
  }

  std::vector<int> exit_fds() const override {
    std::vector<int> fds;
    for (const Target& target : targets_) fds.push_back(target.pidfd.get());
    return fds;
  }

  int stop_fd() const override { return watch_ ? watch_->fd() : -1; }
  void handle_stops(const Handlers& handlers, int end_fd) override {
    auto on_exec = [&](pid_t pid) {
      if (are_commands()) {
        // If this process dies now, the kernel must kill the command, which may contain a breakpoint.
        ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, hold_options);
        auto keep_waiting = [&] { return watch_->wait(end_fd); };
        StopOutcome outcome = run_to_start_point(pid, settings_.evaltime, keep_waiting);
        if (outcome == StopOutcome::Ended || outcome == StopOutcome::Aborted) return;
      }
      handlers.on_exec(static_cast<uint32_t>(pid));
    };
    watch_->handle({.on_fork = handlers.on_fork, .on_exec = on_exec, .on_load = handlers.on_load});
  }
  void stop_waiting_at_loads() override {
    if (!settings_.follows_execs) watch_.reset();
  }
  void stop_following() override {
    if (watch_) watch_->release();
  }

  bool all_ended() override {
    bool is_any_left = false;
    for (Target& target : targets_) {
      if (!target.has_ended) target.has_ended = target.is_command ? reap(target) : has_ended(target);
      is_any_left |= !target.has_ended;
    }
    return !targets_.empty() && !is_any_left;
  }

 private:
  // True if this process has started all targets.
  bool are_commands() const {
    return std::all_of(targets_.begin(), targets_.end(), [](const Target& target) { return target.is_command; });
  }

  Result<> run_to_stop(Target& target, const std::string& command, int failure) const {
    [[maybe_unused]] ssize_t written = ::write(target.go.get(), "", 1);
    if (int error_number = exec_failure(failure)) return fail(cannot_execute(command, error_number));
    target.hold = Hold::Ptrace;
    StopOutcome outcome = wait_for_exec(target.pid);
    if (outcome == StopOutcome::Executed) outcome = run_to_start_point(target.pid, settings_.evaltime);
    target.has_ended = outcome == StopOutcome::Ended;
    return {};
  }

  // WEXITED | WNOWAIT still reports stops of a traced process; those are left for the watch.
  static bool reap(const Target& target) {
    siginfo_t info{};
    int status = ::waitid(P_PID, static_cast<id_t>(target.pid), &info, WEXITED | WNOHANG | WNOWAIT);
    if (status < 0) return errno == ECHILD;
    bool has_ended = info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED;
    if (has_ended) ::waitid(P_PID, static_cast<id_t>(target.pid), &info, WEXITED | WNOHANG);
    return has_ended;
  }

  static bool has_ended(const Target& target) {
    pollfd item{.fd = target.pidfd.get(), .events = POLLIN, .revents = 0};
    return ::poll(&item, 1, 0) > 0;
  }

  TargetSettings settings_;
  std::vector<Target> targets_;
  std::optional<TargetWatch> watch_;  // follow=exec, or while they wait at loads
};

}  // namespace

Result<std::unique_ptr<Targets>> Targets::create(const std::vector<TargetRequest>& requests,
                                                 const TargetSettings& settings) {
  auto targets = std::make_unique<LiveTargets>(settings);
  DS_TRY_VOID(targets->start_watch());
  for (const TargetRequest& request : requests) {
    DS_TRY_VOID(request.is_command ? targets->start_command(request) : targets->grab(request.text));
  }
  return targets;
}

}  // namespace dscope
