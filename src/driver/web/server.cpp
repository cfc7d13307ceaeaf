#include "driver/web/server.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <type_traits>

#include "driver/web/page_runs.h"
#include "driver/web/sandbox.h"
#include "driver/web/serve_runs.h"
#include "metrics/otlp_metrics.h"
#include "web/live_page.h"

namespace dscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto publish_period = std::chrono::milliseconds{500};

// Passes metrics to the process that pushes them, at intervals.
class PushSource {
 public:
  PushSource(PushLink link, const OtlpSettings& settings)
      : link_(std::move(link)),
        is_json_(settings.is_json),
        interval_(std::chrono::nanoseconds{settings.interval_ns}),
        resource_(describe_resource(release_name().substr(release_name().find(' ') + 1), environment_variable)),
        due_(Clock::now() + interval_) {}

  void add_descriptors(std::vector<pollfd>& waited) const {
    if (link_.has_ended()) return;
    auto events = static_cast<short>(link_.has_unsent() ? POLLIN | POLLOUT : POLLIN);
    waited.push_back({.fd = link_.fd(), .events = events, .revents = 0});
  }
  Clock::time_point due() const { return due_; }

  void run(ServeRuns& runs) {
    link_.flush();
    while (auto payload = link_.receive())
      if (auto state = unpack_push_state(*payload)) state_ = *state;
    if (Clock::now() >= due_) push(runs);
    PushState state = state_;
    state.lost += unsent_;
    runs.set_push_state(state);
  }

  // The values at the end of the run.
  void push_last(ServeRuns& runs) {
    runs.receive();
    push(runs);
    constexpr auto max_wait = std::chrono::milliseconds{500};
    pollfd waited{.fd = link_.fd(), .events = POLLOUT, .revents = 0};
    for (auto end = Clock::now() + max_wait; link_.has_unsent() && Clock::now() < end; link_.flush())
      ::poll(&waited, 1, static_cast<int>(max_wait.count()));
  }

 private:
  void push(ServeRuns& runs) {
    due_ = Clock::now() + interval_;
    if (runs.shown() == nullptr) return;
    std::vector<MetricFamily> families = runs.metrics();
    auto now = std::chrono::system_clock::now().time_since_epoch();
    int64_t time_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    if (!link_.send((is_json_ ? otlp_json : otlp_protobuf)(families, resource_, time_ns))) ++unsent_;
  }

  static std::string environment_variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  }

  PushLink link_;
  bool is_json_;
  std::chrono::nanoseconds interval_;
  OtlpResource resource_;
  Clock::time_point due_;
  PushState state_;
  uint64_t unsent_ = 0;  // the pusher had not taken the payload before
};

// Serves until the channel ends. `Runs` takes the messages of the supervisor, `Routes` answers requests.
template <typename Runs, typename Routes>
class Server {
 public:
  Server(Channel& channel, Runs& runs, Routes& routes) : channel_(channel), runs_(runs), routes_(routes) {}

  // `listener`: none if nothing is served.
  Result<> serve(std::optional<Fd> listener, const HttpSettings& settings, PushSource* pushes = nullptr) {
    if (listener) {
      DS_TRY(HttpServer started, HttpServer::start(std::move(*listener), settings,
                                                   [this](const auto& session) { routes_.handle(session); }));
      http_.emplace(std::move(started));
    }
    DS_TRY_VOID(enter_sandbox());
    while (!channel_.has_ended()) {
      wait(pushes);
      while (auto message = channel_.receive()) runs_.take(std::move(*message));
      runs_.receive();
      if constexpr (std::is_same_v<Runs, ServeRuns>)
        if (pushes != nullptr) pushes->run(runs_);
      if (Clock::now() >= publish_at_) {
        routes_.publish();
        publish_at_ = Clock::now() + publish_period;
      }
      if (http_) http_->run();
    }
    if constexpr (std::is_same_v<Runs, ServeRuns>)
      if (pushes != nullptr) pushes->push_last(runs_);
    return {};
  }

 private:
  void wait(const PushSource* pushes) {
    std::vector<pollfd> waited = {{.fd = channel_.fd(), .events = POLLIN, .revents = 0}};
    std::chrono::milliseconds time{60'000};
    auto until = [](Clock::time_point moment) {
      return std::max(std::chrono::ceil<std::chrono::milliseconds>(moment - Clock::now()), {});
    };
    if (http_) {
      waited.push_back({.fd = http_->poll_fd(), .events = POLLIN, .revents = 0});
      time = std::min(time, http_->max_wait());
    }
    if (routes_.is_busy()) time = std::min(time, until(publish_at_));
    if (pushes != nullptr) {
      pushes->add_descriptors(waited);
      time = std::min(time, until(pushes->due()));
    }
    runs_.add_descriptors(waited);
    ::poll(waited.data(), waited.size(), static_cast<int>(time.count()));
  }

  Channel& channel_;
  Runs& runs_;
  Routes& routes_;
  std::optional<HttpServer> http_;
  Clock::time_point publish_at_ = Clock::now();
};

}  // namespace

Result<> serve_page(Channel channel, Fd listener, PageAccess access) {
  PageRuns runs{channel};
  LivePage page{std::move(access), runs};
  return Server{channel, runs, page}.serve(std::move(listener), {});
}

Result<> serve_metrics(Channel channel, MetricService service) {
  ServeRuns runs{channel};
  ServeRoutes routes{std::move(service.access), runs};
  runs.set_row_observer([&](const RunModel& model, const std::vector<PictureRow>& rows) {
    routes.send_rows(model, rows);
    runs.set_lost_events(routes.lost_events());
  });
  std::optional<PushSource> pushes;
  if (service.pusher) pushes.emplace(std::move(*service.pusher), service.otlp);
  return Server{channel, runs, routes}.serve(std::move(service.listener), service.http, pushes ? &*pushes : nullptr);
}

}  // namespace dscope
