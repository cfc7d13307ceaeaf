#include "driver/web/server.h"

#include <poll.h>

#include <algorithm>
#include <chrono>

#include "driver/web/page_runs.h"
#include "driver/web/sandbox.h"
#include "web/live_page.h"

namespace dscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto publish_period = std::chrono::milliseconds{500};

class PageServer {
 public:
  PageServer(Channel channel, PageAccess access) : channel_(std::move(channel)), page_(std::move(access), runs_) {}

  Result<> serve(Fd listener) {
    DS_TRY(HttpServer server,
           HttpServer::start(std::move(listener), {}, [this](const auto& session) { page_.handle(session); }));
    DS_TRY_VOID(enter_sandbox());
    while (!channel_.has_ended()) {
      wait(server);
      while (auto message = channel_.receive()) runs_.take(std::move(*message));
      runs_.receive();
      if (Clock::now() >= publish_at_) {
        page_.publish();
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
    auto time = std::clamp<int64_t>(std::min(until_publish, server.max_wait()).count(), 0, 1000);
    ::poll(waited.data(), waited.size(), static_cast<int>(time));
  }

  Channel channel_;
  PageRuns runs_{channel_};
  LivePage page_;
  Clock::time_point publish_at_ = Clock::now();
};

}  // namespace

Result<> serve_page(Channel channel, Fd listener, PageAccess access) {
  return PageServer{std::move(channel), std::move(access)}.serve(std::move(listener));
}

}  // namespace dscope
