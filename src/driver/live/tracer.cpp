#include "driver/live/tracer.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "driver/run/live_environment.h"

namespace dscope {

namespace {

constexpr auto max_end_time = std::chrono::seconds{1};
constexpr size_t max_message_bytes = size_t{64} * 1024;

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
[[noreturn]] void execute(const char* program, char* const* arguments, char* const* environment, int run, int messages,
                          pid_t parent) {
  ::setpgid(0, 0);  // Ctrl-C is for the view
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  int null = ::open("/dev/null", O_RDWR);
  bool is_ready = null >= 0 && ::dup2(null, STDIN_FILENO) >= 0 && ::dup2(null, STDOUT_FILENO) >= 0 &&
                  ::dup2(messages, STDERR_FILENO) >= 0 && ::fcntl(run, F_SETFD, 0) == 0;
  if (is_ready && ::getppid() == parent) ::execve(program, arguments, environment);
  ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_of(const Tracer::Request& request, int run_fd) {
  std::vector<std::string> variables;
  for (char** each = environ; *each != nullptr; ++each)
    if (!std::string_view{*each}.starts_with("DSCOPE_LIVE_")) variables.emplace_back(*each);
  variables.push_back(fmt::format("{}={}", live_fd_variable, run_fd));
  if (!request.drill_steps.empty())
    variables.push_back(fmt::format("{}={}", drill_steps_variable, request.drill_steps));
  if (!request.targets.empty())
    variables.push_back(fmt::format("{}={}", live_targets_variable, fmt::join(request.targets, " ")));
  return variables;
}

}  // namespace

Result<Tracer> Tracer::start(const Request& request) {
  DS_TRY(Pipe run, make_pipe());
  DS_TRY(Pipe messages, make_pipe());
  std::vector<std::string> argument_texts = request.arguments;
  std::vector<std::string> environment_texts = environment_of(request, run.write_end.get());
  std::vector<char*> arguments = pointers(argument_texts), environment = pointers(environment_texts);
  pid_t parent = ::getpid();
  pid_t pid = ::fork();
  if (pid < 0) return fail(Error::from_errno(errno, "cannot start a process"));
  if (pid == 0)
    execute(request.program.c_str(), arguments.data(), environment.data(), run.write_end.get(),
            messages.write_end.get(), parent);
  return Tracer{pid, std::move(run.read_end), std::move(messages.read_end)};
}

Tracer& Tracer::operator=(Tracer&& other) noexcept {
  stop();
  pid_ = std::exchange(other.pid_, -1);
  run_ = std::move(other.run_);
  messages_ = std::move(other.messages_);
  reader_ = std::move(other.reader_);
  model_ = std::move(other.model_);
  is_attached_ = other.is_attached_;
  text_ = std::move(other.text_);
  status_ = other.status_;
  return *this;
}

void Tracer::apply(RunMessage message) {
  if (auto* start = std::get_if<RunStart>(&message)) {
    model_.emplace(std::move(*start));
  } else if (model_) {
    is_attached_ = true;
    if (auto* update = std::get_if<RunUpdate>(&message)) model_->add(std::move(*update));
    else model_->end(std::get<RunEnd>(message));
  }
}

void Tracer::receive() {
  receive_messages();
  std::array<char, 65536> piece;
  while (run_) {
    ssize_t count = ::read(run_.get(), piece.data(), piece.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (count <= 0) run_ = {};
    else reader_.add({piece.data(), static_cast<size_t>(count)});
  }
  for (;;) {
    auto message = reader_.next();
    if (!message) {
      text_ += message.error().message() + "\n";
      run_ = {};
    }
    if (!message || !*message) break;
    apply(std::move(**message));
  }
  if (has_ended()) receive_messages();
}

void Tracer::receive_messages() {
  std::array<char, 4096> piece;
  while (messages_) {
    ssize_t count = ::read(messages_.get(), piece.data(), piece.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) messages_ = {};
    else text_.append(piece.data(), static_cast<size_t>(count));
    if (text_.size() > max_message_bytes) text_.erase(0, text_.size() - max_message_bytes);
  }
}

void Tracer::stop() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGINT);
  auto deadline = std::chrono::steady_clock::now() + max_end_time;
  // Read on: the process must not wait for room in the pipe.
  while (run_ && std::chrono::steady_clock::now() < deadline) {
    pollfd waited{.fd = run_.get(), .events = POLLIN, .revents = 0};
    ::poll(&waited, 1, 50);
    receive();
  }
  if (run_) ::kill(pid_, SIGKILL);
  run_ = {};
  exit_status();
}

int Tracer::exit_status() {
  if (pid_ < 0) return status_;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return status_;
}

}  // namespace dscope
