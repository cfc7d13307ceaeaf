#include "driver/web/server.h"

#include <poll.h>

#include <algorithm>
#include <chrono>

#include "driver/web/page_runs.h"
#include "driver/web/sandbox.h"
#include "driver/web/serve_runs.h"
#include "web/live_page.h"

namespace dscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto publish_period = std::chrono::milliseconds{500};

// Serves until the channel ends. `Runs` takes the messages of the supervisor, `Routes` answers requests.
template <typename Runs, typename Routes>
class Server {
 public:
  Server(Channel& channel, Runs& runs, Routes& routes) : channel_(channel), runs_(runs), routes_(routes) {}

  Result<> serve(Fd listener, const HttpSettings& settings) {
    DS_TRY(HttpServer server,
           HttpServer::start(std::move(listener), settings, [this](const auto& session) { routes_.handle(session); }));
    DS_TRY_VOID(enter_sandbox());
    while (!channel_.has_ended()) {
      wait(server);
      while (auto message = channel_.receive()) runs_.take(std::move(*message));
      runs_.receive();
      if (Clock::now() >= publish_at_) {
        routes_.publish();
        publish_at_ = Clock::now() + publish_period;
      }
      server.run();
    }
    return {};
  }

 private:
  void wait(const HttpServer& server) {
    std::vector<pollfd> waited = {{.fd = channel_.fd(), .events = POLLIN, .revents = 0},
                                  {.fd = server.poll_fd(), .events = POLLIN, .revents = 0}};
    runs_.add_descriptors(waited);
    auto until_publish = std::chrono::ceil<std::chrono::milliseconds>(publish_at_ - Clock::now());
    auto time = routes_.is_busy() ? std::max(until_publish, {}) : std::chrono::milliseconds::max();
    time = std::min({time, server.max_wait(), std::chrono::milliseconds{60'000}});
    ::poll(waited.data(), waited.size(), static_cast<int>(time.count()));
  }

  Channel& channel_;
  Runs& runs_;
  Routes& routes_;
  Clock::time_point publish_at_ = Clock::now();
};

}  // namespace

Result<> serve_page(Channel channel, Fd listener, PageAccess access) {
  PageRuns runs{channel};
  LivePage page{std::move(access), runs};
  return Server{channel, runs, page}.serve(std::move(listener), {});
}

Result<> serve_metrics(Channel channel, Fd listener, ServeAccess access, const HttpSettings& settings) {
  ServeRuns runs{channel};
  ServeRoutes routes{std::move(access), runs};
  runs.set_row_observer([&](const RunModel& model, const std::vector<PictureRow>& rows) {
    routes.send_rows(model, rows);
    runs.set_lost_events(routes.lost_events());
  });
  return Server{channel, runs, routes}.serve(std::move(listener), settings);
}

}  // namespace dscope
