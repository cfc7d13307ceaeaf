#include "driver/web/serve_supervisor.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

#include "contract/record_format.h"
#include "driver/confine/privileges.h"
#include "driver/run/pass_descriptor.h"
#include "driver/web/channel_message.h"
#include "driver/web/listener.h"
#include "driver/web/metric_pusher.h"
#include "driver/web/sandbox.h"
#include "driver/web/server.h"
#include "driver/web/service_manager.h"
#include "driver/web/supervised.h"
#include "support/print_message.h"
#include "support/read_file.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

// The file of the first program, or of the bundle; empty if all programs are texts.
std::string script_of(const CommandLine& line) {
  if (line.programs.empty() && !line.operands.empty()) return line.operands.front();
  for (const ProgramArgument& program : line.programs)
    if (program.is_script()) return program.text;
  return {};
}

// The processes that run beside the tracers.
struct ServiceProcesses {
  std::optional<ServerProcess> server;  // always there but while it ends
  pid_t pusher_pid = -1;                // -1: there is none
  std::string url;                      // of the server; empty: there is none
  std::string socket_path;              // of a Unix socket to remove
};

// The next run may have ended while it took over: the one before counts on. `state_fd`: its map ds_state.
void cancel_handover(int state_fd) {
  void* memory = ::mmap(nullptr, sizeof(ds_state), PROT_READ | PROT_WRITE, MAP_SHARED, state_fd, 0);
  if (memory == MAP_FAILED) return;
  uint32_t expected = DS_ACTIVITY_HANDING_OVER;
  std::atomic_ref<uint32_t>{static_cast<ds_state*>(memory)->activity}.compare_exchange_strong(expected,
                                                                                              DS_ACTIVITY_ACTIVE);
  ::munmap(memory, sizeof(ds_state));
}

class ServeSupervisor {
 public:
  ServeSupervisor(CommandLine line, TracerRequest request, ServiceProcesses processes, Signals signals)
      : line_(std::move(line)),
        request_(std::move(request)),
        processes_(std::move(processes)),
        signals_(std::move(signals)) {}

  Result<int> run() {
    Channel& channel = processes_.server->channel;
    DS_TRY_VOID(start_next());
    // Tracers that are started later get the capabilities that this process may have, by execve(2).
    lower_capabilities();
    while (!has_ended_) {
      wait_for(signals_, channel);
      for (int signal : signals_.arrived()) take_signal(signal);
      while (auto message = channel.receive())
        if (message->has("attached")) replace();
      if (channel.has_ended()) return end(Error("the web server has ended unexpectedly"));
      if (has_pusher_ended()) return end(Error("the process that pushes metrics has ended"));
      if (next_ && next_->process.has_ended()) fail_next();
      // The next one ends it when it begins to count.
      if (current_ && !next_ && current_->process.has_ended()) has_ended_ = true;
    }
    return end();
  }

 private:
  struct Tracing {
    TracerProcess process;
    Fd control;
    Fd state = {}, shared = {};  // maps of the run, when its programs are loaded
  };

  void take_signal(int signal) {
    if (signal == SIGHUP) reload();
    else if (signal != SIGCHLD) has_ended_ = true;
  }

  bool has_pusher_ended() {
    if (processes_.pusher_pid < 0 || ::waitpid(processes_.pusher_pid, nullptr, WNOHANG) <= 0) return false;
    processes_.pusher_pid = -1;
    return true;
  }

  Result<> start_next() {
    TracerRequest request = request_;
    if (current_ && current_->state) request.replaced_state_fd = current_->state.get();
    if (current_ && current_->shared) request.shared_handover_fd = current_->shared.get();
    DS_TRY(StartedTracer started, TracerProcess::start(request));
    processes_.server->channel.send({{"run", "next"}, {"script", script_of(line_)}}, {started.run.get()});
    next_.emplace(Tracing{.process = std::move(started.process), .control = std::move(started.control)});
    return {};
  }

  void reload() {
    if (next_) return;  // the one that is being attached has read the script just now
    if (starts_command()) return print("a run with a command is not read again: it would start the command again");
    notify_service_manager(ServiceState::Reloading);
    if (auto started = start_next(); !started) {
      print(started.error().message());
      notify_service_manager(ServiceState::Ready);
    }
  }

  bool starts_command() const {
    return std::ranges::any_of(line_.targets, [](const TargetRequest& target) { return target.is_command; });
  }

  void replace() {
    if (!next_) return;
    bool is_first = !current_;
    if (current_) stop(current_->process);
    current_ = std::exchange(next_, std::nullopt);
    current_->state = receive_descriptor(current_->control.get());
    current_->shared = receive_descriptor(current_->control.get());
    print(is_first ? started_text() : std::string{"the script was read again"});
    notify_service_manager(ServiceState::Ready);
  }

  std::string started_text() const {
    const std::string& url = processes_.url;
    std::string served =
        url.empty() ? "" : fmt::format("metrics are at {}{}", url, url.starts_with("unix:") ? "" : "/metrics");
    if (processes_.pusher_pid < 0) return served;
    std::string pushed = fmt::format("metrics are pushed to {}", otlp_url(line_.otlp.url));
    return served.empty() ? pushed : served + ", and pushed to " + otlp_url(line_.otlp.url);
  }

  // It has written the reason on stderr.
  void fail_next() {
    if (!current_) {
      has_ended_ = true;
      return;
    }
    next_.reset();
    if (current_->state) cancel_handover(current_->state.get());
    processes_.server->channel.send({{"failed", true}});
    print("the script was not read again: the one before goes on");
    notify_service_manager(ServiceState::Ready);
  }

  static void stop(TracerProcess& tracer) {
    tracer.interrupt();
    tracer.wait();
  }

  Result<int> end() {
    notify_service_manager(ServiceState::Stopping);
    restore_capabilities();
    if (!processes_.socket_path.empty()) ::unlink(processes_.socket_path.c_str());
    if (current_) next_.reset();
    std::optional<Tracing>& last = current_ ? current_ : next_;
    int status = 1;
    if (last) {
      last->process.interrupt();
      status = last->process.wait();
      if (status > signal_status)
        print(fmt::format("the process that traces was ended by signal {}", status - signal_status));
    }
    end_processes();
    return status;
  }

  Result<int> end(Error error) {
    (void)end();
    return fail(std::move(error));
  }

  // The server sends the last values to the pusher, which has some seconds to push them.
  void end_processes() {
    if (processes_.pusher_pid < 0) return;
    pid_t server = processes_.server->pid;
    processes_.server.reset();  // closes the channel
    if (server > 0) ::waitpid(server, nullptr, 0);
    constexpr int max_checks = 60;
    constexpr useconds_t check_period_us = 50'000;
    pid_t pusher = processes_.pusher_pid;
    for (int i = 0; i < max_checks && pusher > 0 && ::waitpid(pusher, nullptr, WNOHANG) == 0; ++i)
      ::usleep(check_period_us);
  }

  void print(const std::string& text) const { print_text(fmt::format("{}: {}\n", line_.program_name, text)); }

  static constexpr int signal_status = 128;  // the statuses of processes that a signal has ended are above

  CommandLine line_;
  TracerRequest request_;
  ServiceProcesses processes_;
  Signals signals_;
  std::optional<Tracing> current_, next_;  // next_: replaces current_ when it is attached
  bool has_ended_ = false;
};

Result<std::string> read_setting(const std::string& path) {
  if (path.empty()) return std::string{};
  return read_file(path.c_str());
}

// The token without the newline at the end of its file, which no header can contain.
Result<std::string> read_token(const std::string& path) {
  DS_TRY(std::string token, read_setting(path));
  while (!token.empty() && std::isspace(static_cast<unsigned char>(token.back())) != 0) token.pop_back();
  if (token.empty() && !path.empty()) return fail(Error::make("the file of --serve-token-file is empty: {}", path));
  return token;
}

// Metrics tell what runs on the machine.
Result<> check_permission(const ServeSettings& serve, const Listener& listener) {
  if (listener.is_local || serve.permits_anyone || !serve.token_file.empty()) return {};
  return fail(Error::make("--serve={} can be read from other machines", serve.address)
                  .hint("give --serve-token-file=FILE and, for TLS, --serve-cert=FILE and --serve-key=FILE; "
                        "--serve-anyone permits it without")
                  .status(2));
}

// The lines of --otlp-header-file.
Result<std::vector<std::string>> read_headers(const std::string& path) {
  DS_TRY(std::string text, read_setting(path));
  std::vector<std::string> headers;
  for (std::string_view line : parts_of(text, "\r\n")) {
    if (line.find(':') == line.npos)
      return fail(Error::make("a line of --otlp-header-file is no header: {}", path).hint("lines are `Name: value`"));
    headers.emplace_back(line);
  }
  return headers;
}

Result<> open_listener(const ServeSettings& serve, MetricService& service, ServiceProcesses& processes) {
  if (serve.address.empty()) return {};
  DS_TRY(service.access.token, read_token(serve.token_file));
  DS_TRY(service.http.tls_certificate, read_setting(serve.certificate_file));
  DS_TRY(service.http.tls_key, read_setting(serve.key_file));
  DS_TRY(Listener listener, listen_on(serve.address));
  DS_TRY_VOID(check_permission(serve, listener));
  service.access.is_loopback = listener.is_loopback;
  processes.url = listener.url;
  processes.socket_path = listener.path;
  if (!service.http.tls_certificate.empty() && processes.url.starts_with("http:")) processes.url.insert(4, "s");
  service.listener = std::move(listener.socket);
  return {};
}

}  // namespace

Result<int> run_service(const CommandLine& line, TracerRequest request) {
  MetricService service{.listener = {}, .access = {}, .http = {}, .pusher = {}, .otlp = line.otlp};
  ServiceProcesses processes;
  if (!line.otlp.url.empty()) {
    DS_TRY(std::vector<std::string> headers, read_headers(line.otlp.header_file));
    DS_TRY(PusherProcess pusher, start_pusher(line.program_name, [&](PushLink link) {
             return push_metrics(std::move(link), line.otlp, std::move(headers), enter_client_sandbox);
           }));
    service.pusher = std::move(pusher.link);
    processes.pusher_pid = pusher.pid;
  }
  DS_TRY_VOID(open_listener(line.serve, service, processes));
  DS_TRY(processes.server, start_server(line.program_name, [&](Channel channel) {
           return serve_metrics(std::move(channel), std::move(service));
         }));
  service = {};  // belongs to the server: its ends of connections must close with it
  DS_TRY(Signals signals, Signals::take());
  return ServeSupervisor{line, std::move(request), std::move(processes), std::move(signals)}.run();
}

}  // namespace dscope
