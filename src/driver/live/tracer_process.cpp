#include "driver/live/tracer_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "driver/run/live_environment.h"

namespace dscope {

namespace {

struct Pipe {
  Fd read_end, write_end;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(Error::from_errno(errno, "cannot create a pipe"));
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  ::fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);  // fewer waits of the tracer; the kernel may refuse
  return Pipe{Fd{ends[0]}, Fd{ends[1]}};
}

// In the child. Only calls that are safe after fork.
// `inherited`: descriptors that stay open; -1: none. `messages`: becomes stderr; -1: the streams stay.
[[noreturn]] void execute(const char* program, char* const* arguments, char* const* environment,
                          std::initializer_list<int> inherited, int messages, pid_t parent) {
  ::setpgid(0, 0);  // Ctrl-C is for the view
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGINT, SIG_DFL);  // shells ignore it in background jobs, and interrupt() sends it
  bool is_ready = true;
  for (int fd : inherited) is_ready = (fd < 0 || ::fcntl(fd, F_SETFD, 0) == 0) && is_ready;
  if (messages >= 0) {
    int null = ::open("/dev/null", O_RDWR);
    is_ready = is_ready && null >= 0 && ::dup2(null, STDIN_FILENO) >= 0 && ::dup2(null, STDOUT_FILENO) >= 0 &&
               ::dup2(messages, STDERR_FILENO) >= 0;
  }
  if (is_ready && ::getppid() == parent) ::execve(program, arguments, environment);
  ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_of(const TracerRequest& request, int run_fd, int control_fd) {
  std::vector<std::string> variables;
  for (char** each = environ; *each != nullptr; ++each)
    if (!std::string_view{*each}.starts_with("DSCOPE_LIVE_")) variables.emplace_back(*each);
  variables.push_back(fmt::format("{}={}", live_fd_variable, run_fd));
  if (control_fd >= 0) variables.push_back(fmt::format("{}={}", live_control_variable, control_fd));
  if (request.replaced_state_fd >= 0)
    variables.push_back(fmt::format("{}={}", live_replaced_variable, request.replaced_state_fd));
  if (request.shared_handover_fd >= 0)
    variables.push_back(fmt::format("{}={}", live_shared_variable, request.shared_handover_fd));
  if (!request.drill_steps.empty())
    variables.push_back(fmt::format("{}={}", drill_steps_variable, request.drill_steps));
  if (!request.targets.empty())
    variables.push_back(fmt::format("{}={}", live_targets_variable, fmt::join(request.targets, " ")));
  if (request.is_served) variables.push_back(fmt::format("{}=1", live_serve_variable));
  if (request.forbids_destructive) variables.push_back(fmt::format("{}=1", live_safe_variable));
  return variables;
}

}  // namespace

Result<StartedTracer> TracerProcess::start(const TracerRequest& request) {
  DS_TRY(Pipe run, make_pipe());
  Pipe messages;
  if (!request.keeps_streams) {
    DS_TRY(messages, make_pipe());
  }
  std::vector<std::string> argument_texts = request.arguments;
  Fd control, tracer_control;
  if (int ends[2]; request.is_served && ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
    control = Fd{ends[0]};
    tracer_control = Fd{ends[1]};
  }
  std::vector<std::string> environment_texts =
      environment_of(request, run.write_end.get(), tracer_control ? tracer_control.get() : -1);
  std::vector<char*> arguments = pointers(argument_texts), environment = pointers(environment_texts);
  pid_t parent = ::getpid();
  pid_t pid = ::fork();
  if (pid < 0) return fail(Error::from_errno(errno, "cannot start a process"));
  if (pid == 0)
    execute(request.program.c_str(), arguments.data(), environment.data(),
            {run.write_end.get(), tracer_control.get(), request.replaced_state_fd, request.shared_handover_fd},
            messages.write_end.get(), parent);
  return StartedTracer{.process = TracerProcess{pid},
                       .run = std::move(run.read_end),
                       .control = std::move(control),
                       .messages = std::move(messages.read_end)};
}

TracerProcess& TracerProcess::operator=(TracerProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(status_, other.status_);
  return *this;
}

TracerProcess::~TracerProcess() {
  kill();
  wait();
}

void TracerProcess::interrupt() {
  if (pid_ > 0) ::kill(pid_, SIGINT);
}

void TracerProcess::kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

int TracerProcess::wait() {
  int status = 0;
  while (pid_ > 0) {
    if (::waitpid(pid_, &status, 0) >= 0) take_status(status);
    else if (errno != EINTR) pid_ = -1;
  }
  return status_;
}

bool TracerProcess::has_ended() {
  int status = 0;
  if (pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) > 0) take_status(status);
  return pid_ < 0;
}

void TracerProcess::take_status(int status) {
  pid_ = -1;
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace dscope
