#include "driver/web/serve_supervisor.h"

#include <signal.h>

#include <algorithm>
#include <optional>

#include "driver/web/channel_message.h"
#include "driver/web/listener.h"
#include "driver/web/server.h"
#include "driver/web/service_manager.h"
#include "driver/web/supervised.h"
#include "support/print_message.h"
#include "support/read_file.h"

namespace dscope {

namespace {

// The file of the first program, or of the bundle; empty if all programs are texts.
std::string script_of(const CommandLine& line) {
  if (line.programs.empty() && !line.operands.empty()) return line.operands.front();
  for (const ProgramArgument& program : line.programs)
    if (program.is_script()) return program.text;
  return {};
}

class ServeSupervisor {
 public:
  ServeSupervisor(CommandLine line, TracerRequest request, std::string url, ServerProcess server, Signals signals)
      : line_(std::move(line)),
        request_(std::move(request)),
        url_(std::move(url)),
        server_(std::move(server)),
        signals_(std::move(signals)) {}

  Result<int> run() {
    DS_TRY_VOID(start_next());
    while (!has_ended_) {
      wait_for(signals_, server_.channel);
      for (int signal : signals_.arrived()) take_signal(signal);
      while (auto message = server_.channel.receive())
        if (message->has("attached")) replace();
      if (server_.channel.has_ended()) return end(Error("the web server has ended unexpectedly"));
      if (next_ && next_->has_ended()) fail_next();
      if (current_ && current_->has_ended()) has_ended_ = true;
    }
    return end();
  }

 private:
  void take_signal(int signal) {
    if (signal == SIGHUP) reload();
    else if (signal != SIGCHLD) has_ended_ = true;
  }

  Result<> start_next() {
    DS_TRY(StartedTracer started, TracerProcess::start(request_));
    server_.channel.send({{"run", "next"}, {"script", script_of(line_)}}, {started.run.get()});
    next_.emplace(std::move(started.process));
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
    if (current_) stop(*current_);
    current_ = std::exchange(next_, std::nullopt);
    print(is_first ? fmt::format("metrics are at {}{}", url_, url_.starts_with("unix:") ? "" : "/metrics")
                   : std::string{"the script was read again"});
    notify_service_manager(ServiceState::Ready);
  }

  // It has written the reason on stderr.
  void fail_next() {
    if (!current_) {
      has_ended_ = true;
      return;
    }
    next_.reset();
    server_.channel.send({{"failed", true}});
    print("the script was not read again: the one before goes on");
    notify_service_manager(ServiceState::Ready);
  }

  static void stop(TracerProcess& tracer) {
    tracer.interrupt();
    tracer.wait();
  }

  Result<int> end() {
    notify_service_manager(ServiceState::Stopping);
    if (current_) next_.reset();
    std::optional<TracerProcess>& last = current_ ? current_ : next_;
    if (!last) return 1;
    last->interrupt();
    return last->wait();
  }

  Result<int> end(Error error) {
    (void)end();
    return fail(std::move(error));
  }

  void print(const std::string& text) const { print_text(fmt::format("{}: {}\n", line_.program_name, text)); }

  CommandLine line_;
  TracerRequest request_;
  std::string url_;
  ServerProcess server_;
  Signals signals_;
  std::optional<TracerProcess> current_, next_;  // next_: replaces current_ when it is attached
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

}  // namespace

Result<int> run_service(const CommandLine& line, TracerRequest request) {
  HttpSettings settings;
  ServeAccess access;
  DS_TRY(access.token, read_token(line.serve.token_file));
  DS_TRY(settings.tls_certificate, read_setting(line.serve.certificate_file));
  DS_TRY(settings.tls_key, read_setting(line.serve.key_file));
  DS_TRY(Listener listener, listen_on(line.serve.address));
  DS_TRY_VOID(check_permission(line.serve, listener));
  access.is_loopback = listener.is_loopback;
  std::string url = listener.url;
  if (!settings.tls_certificate.empty() && url.starts_with("http:")) url.insert(4, "s");
  DS_TRY(ServerProcess server, start_server(line.program_name, [&](Channel channel) {
           return serve_metrics(std::move(channel), std::move(listener.socket), std::move(access), settings);
         }));
  DS_TRY(Signals signals, Signals::take());
  return ServeSupervisor{line, std::move(request), std::move(url), std::move(server), std::move(signals)}.run();
}

}  // namespace dscope
