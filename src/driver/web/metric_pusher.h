// MetricPusher: sends payloads to an OpenTelemetry receiver over HTTP. Keeps what it could not send, within limits, and
// tries again after growing pauses.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "driver/command_line/command_line.h"
#include "driver/web/push_link.h"
#include "web/http_client.h"

namespace dscope {

// The URL of --otlp with the path of the protocol, unless it has a path.
std::string otlp_url(const std::string& url);

// The queue and the pauses, apart from sockets and clocks.
class PushQueue {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr size_t max_payloads = 60;
  static constexpr size_t max_bytes = size_t{16} << 20;
  static constexpr std::chrono::milliseconds first_pause{1000}, max_pause{60'000};

  // Gives up the oldest payloads if there are too many.
  void add(std::string payload);
  bool is_empty() const { return payloads_.empty(); }
  const std::string& front() const { return payloads_.front(); }
  // When front() may be sent.
  Clock::time_point due() const { return due_; }
  // Records the receiver's answer to front(). Statuses 429, 502, 503 and 504 and connections that fail are
  // retried, others are not.
  void finish(const PostResult& result, Clock::time_point now);
  PushState state() const;

 private:
  void remove_front();

  std::deque<std::string> payloads_;
  size_t bytes_ = 0;
  PushState counts_;
  std::chrono::milliseconds pause_ = first_pause;
  Clock::time_point due_{};
};

// Runs in a process of its own until the link ends. Calls `confine` when the library is loaded.
Result<> push_metrics(PushLink link, const OtlpSettings& settings, std::vector<std::string> headers,
                      const std::function<Result<>()>& confine);

}  // namespace dscope
