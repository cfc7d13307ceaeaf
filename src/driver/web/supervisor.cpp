#include "driver/web/supervisor.h"

#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "driver/command_line/command_line.h"
#include "driver/live/tracer_process.h"
#include "driver/run/messages.h"
#include "driver/web/channel_message.h"
#include "driver/web/server.h"
#include "support/print_message.h"

namespace dscope {

namespace {

struct Listener {
  Fd socket;
  uint16_t port = 0;
};

// `port`: 0: one that is free.
Result<Listener> listen_on_loopback(uint16_t port) {
  Fd socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  int on = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  constexpr int backlog = 64;
  bool is_listening = socket && ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                      ::bind(socket.get(), generic, size) == 0 && ::listen(socket.get(), backlog) == 0 &&
                      ::getsockname(socket.get(), generic, &size) == 0;
  if (!is_listening) return fail(Error::from_errno(errno, "cannot listen on 127.0.0.1:{}", port));
  return Listener{.socket = std::move(socket), .port = ntohs(address.sin_port)};
}

struct ServerProcess {
  pid_t pid = -1;
  Channel channel;
};

[[noreturn]] void be_server(Channel channel, Listener listener, PageAccess access, const std::string& name) {
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the supervisor, which ends this process
  ::prctl(PR_SET_NAME, "dscope-http");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto served = serve_page(std::move(channel), std::move(listener.socket), std::move(access));
  ::_exit(served ? 0 : report(name, served.error()));
}

Result<ServerProcess> start_server(Listener listener, const PageAccess& access, const std::string& name) {
  DS_TRY(auto ends, Channel::make_pair());
  pid_t pid = ::fork();
  if (pid < 0) return fail(Error::from_errno(errno, "cannot start the web server"));
  if (pid == 0) {
    {
      Channel supervisor = std::move(ends.first);
    }
    be_server(std::move(ends.second), std::move(listener), access, name);
  }
  return ServerProcess{.pid = pid, .channel = std::move(ends.first)};
}

// The options of the command line, for the programs of the box.
std::vector<std::string> arguments_of_box(const CommandLine& line, const std::string& text) {
  std::vector<std::string> arguments = {line.invoked_as};
  for (const OptionSetting& setting : line.settings)
    if (setting.name != "rowstamps" && setting.name != "destructive")
      arguments.push_back("-x" + setting.name + (setting.has_value ? "=" + setting.value : ""));
  arguments.insert(arguments.end(), {"-xdiagnostics=full", "-n", text});
  return arguments;
}

class Supervisor {
 public:
  Supervisor(CommandLine line, TracerRequest first, Listener listener, PageAccess access)
      : line_(std::move(line)),
        first_request_(std::move(first)),
        listener_(std::move(listener)),
        access_(std::move(access)) {}

  Result<int> run() {
    uint16_t port = listener_.port;
    DS_TRY(ServerProcess server, start_server(std::move(listener_), access_, line_.program_name));
    server_ = std::move(server);
    port_ = port;
    DS_TRY_VOID(take_signals());
    DS_TRY_VOID(start_first());
    while (!has_ended_) {
      wait();
      while (auto message = server_->channel.receive()) take(*message);
      if (server_->channel.has_ended()) return end(Error("the web server has ended unexpectedly"));
      if (first_ && first_->process.has_ended()) end_of_first();
    }
    end_tracers();
    return exit_status_;
  }

 private:
  Result<> take_signals() {
    sigset_t set;
    ::sigemptyset(&set);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) ::sigaddset(&set, signal);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    signals_ = Fd{::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)};
    if (!signals_) return fail(Error::from_errno(errno, "cannot receive signals"));
    return {};
  }

  Result<> start_first() {
    DS_TRY(StartedTracer started, TracerProcess::start(first_request_));
    server_->channel.send({{"run", "first"}}, {started.run.get()});
    first_.emplace(std::move(started));
    first_->run.reset();
    return {};
  }

  void wait() {
    pollfd waited[] = {{.fd = server_->channel.fd(), .events = POLLIN, .revents = 0},
                       {.fd = signals_.get(), .events = POLLIN, .revents = 0}};
    ::poll(waited, std::size(waited), -1);
    signalfd_siginfo signal{};
    while (::read(signals_.get(), &signal, sizeof signal) == sizeof signal)
      if (signal.ssi_signo != SIGCHLD) has_ended_ = true;
  }

  void take(const Channel::Message& message) {
    if (message.has("attached")) announce();
    else if (message.has("start")) start_box(message.text("start"));
    else if (message.has("shown")) box_ = std::exchange(starting_, std::nullopt);
    else if (message.has("end")) box_.reset(), starting_.reset();
  }

  void announce() {
    is_announced_ = true;
    print_text(fmt::format("{}: the page is at {}\n", line_.program_name, access_.url(port_)));
  }

  void start_box(const std::string& text) {
    TracerRequest request{.program = first_request_.program, .arguments = arguments_of_box(line_, text)};
    request.forbids_destructive = true;
    auto started = TracerProcess::start(request);
    if (!started) {
      server_->channel.send({{"problem", started.error().message()}});
      return;
    }
    server_->channel.send({{"run", "box"}}, {started->run.get(), started->messages.get()});
    starting_.emplace(std::move(started->process));
  }

  void end_of_first() {
    exit_status_ = first_->process.wait();
    first_.reset();
    if (exit_status_ != 0 || !is_announced_) has_ended_ = true;
    else print_text(fmt::format("{}: the run has ended, the page remains until Ctrl-C\n", line_.program_name));
  }

  Result<int> end(Error error) {
    end_tracers();
    return fail(std::move(error));
  }

  // As Ctrl-C does: END fires, and what it prints is printed.
  void end_tracers() {
    box_.reset();
    starting_.reset();
    if (!first_) return;
    first_->process.interrupt();
    exit_status_ = first_->process.wait();
  }

  CommandLine line_;
  TracerRequest first_request_;
  Listener listener_;
  PageAccess access_;
  uint16_t port_ = 0;
  std::optional<ServerProcess> server_;
  Fd signals_;
  std::optional<StartedTracer> first_;
  std::optional<TracerProcess> box_, starting_;  // programs of the box: shown, being attached
  bool is_announced_ = false;
  bool has_ended_ = false;
  int exit_status_ = 0;
};

}  // namespace

Result<int> run_web(const std::vector<std::string>& arguments, const std::string& program) {
  std::vector<const char*> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  auto line = parse_command_line(words);
  if (!line) return fail(Error(line.error().text));
  DS_TRY(Listener listener, listen_on_loopback(line->page_port));
  DS_TRY(PageAccess access, PageAccess::create());
  TracerRequest request{.program = program, .arguments = arguments, .drill_steps = {}, .targets = {}};
  request.forbids_destructive = true;
  request.keeps_streams = true;
  return Supervisor{std::move(*line), std::move(request), std::move(listener), std::move(access)}.run();
}

}  // namespace dscope
