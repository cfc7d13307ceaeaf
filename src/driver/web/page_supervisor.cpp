#include "driver/web/page_supervisor.h"

#include <signal.h>

#include <optional>

#include "driver/web/channel_message.h"
#include "driver/web/listener.h"
#include "driver/web/server.h"
#include "driver/web/supervised.h"
#include "support/print_message.h"

namespace dscope {

namespace {

// The options of the command line, for the programs of the box.
std::vector<std::string> arguments_of_box(const CommandLine& line, const std::string& text) {
  std::vector<std::string> arguments = {line.invoked_as};
  for (const OptionSetting& setting : line.settings)
    if (setting.name != "rowstamps" && setting.name != "served" && setting.name != "destructive")
      arguments.push_back("-x" + setting.name + (setting.has_value ? "=" + setting.value : ""));
  if (!line.replay_file.empty()) arguments.push_back("--replay=" + line.replay_file);
  arguments.insert(arguments.end(), {"-xdiagnostics=full", "-n", text});
  return arguments;
}

class PageSupervisor {
 public:
  PageSupervisor(CommandLine line, TracerRequest first, std::string url, ServerProcess server, Signals signals)
      : line_(std::move(line)),
        first_request_(std::move(first)),
        url_(std::move(url)),
        server_(std::move(server)),
        signals_(std::move(signals)) {}

  Result<int> run() {
    DS_TRY_VOID(start_first());
    while (!has_ended_) {
      wait_for(signals_, server_.channel);
      for (int signal : signals_.arrived()) has_ended_ = has_ended_ || signal != SIGCHLD;
      while (auto message = server_.channel.receive()) take(*message);
      if (server_.channel.has_ended()) return end(Error("the web server has ended unexpectedly"));
      if (first_ && first_->has_ended()) end_of_first();
    }
    end_tracers();
    return exit_status_;
  }

 private:
  Result<> start_first() {
    DS_TRY(StartedTracer started, TracerProcess::start(first_request_));
    server_.channel.send({{"run", "first"}}, {started.run.get()});
    first_.emplace(std::move(started.process));
    return {};
  }

  void take(const Channel::Message& message) {
    if (message.has("attached")) announce();
    else if (message.has("start")) start_box(message.text("start"));
    else if (message.has("shown")) box_ = std::exchange(starting_, std::nullopt);
    else if (message.has("end")) box_.reset(), starting_.reset();
  }

  void announce() {
    is_announced_ = true;
    print_text(fmt::format("{}: the page is at {}\n", line_.program_name, url_));
  }

  void start_box(const std::string& text) {
    TracerRequest request{.program = first_request_.program, .arguments = arguments_of_box(line_, text)};
    request.forbids_destructive = true;
    auto started = TracerProcess::start(request);
    if (!started) {
      server_.channel.send({{"problem", started.error().message()}});
      return;
    }
    server_.channel.send({{"run", "box"}}, {started->run.get(), started->messages.get()});
    starting_.emplace(std::move(started->process));
  }

  void end_of_first() {
    exit_status_ = first_->wait();
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
    first_->interrupt();
    exit_status_ = first_->wait();
  }

  CommandLine line_;
  TracerRequest first_request_;
  std::string url_;
  ServerProcess server_;
  Signals signals_;
  std::optional<TracerProcess> first_, box_, starting_;  // starting_: will be box_ when it is attached
  bool is_announced_ = false;
  bool has_ended_ = false;
  int exit_status_ = 0;
};

}  // namespace

Result<int> run_page(const CommandLine& line, TracerRequest request) {
  DS_TRY(Listener listener, listen_on_loopback(line.page_port));
  DS_TRY(PageAccess access, PageAccess::create());
  std::string url = access.url(listener.port);
  DS_TRY(ServerProcess server, start_server(line.program_name, [&](Channel channel) {
           return serve_page(std::move(channel), std::move(listener.socket), std::move(access));
         }));
  DS_TRY(Signals signals, Signals::take());
  return PageSupervisor{line, std::move(request), std::move(url), std::move(server), std::move(signals)}.run();
}

}  // namespace dscope
