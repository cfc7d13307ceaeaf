#include "driver/web/metric_pusher.h"

#include <poll.h>

#include <algorithm>

#include "pictures/gzip.h"
#include "support/print_message.h"

namespace dscope {

namespace {

bool may_succeed_later(const PostResult& result) {
  return result.status == 0 || result.status == 429 || (result.status >= 502 && result.status <= 504);
}

bool is_accepted(const PostResult& result) { return result.status >= 200 && result.status < 300; }

// One message per kind of failure, not one for each attempt.
class FailureReport {
 public:
  void note(const std::string& url, const PostResult& result) {
    std::string text = is_accepted(result)  ? ""
                       : result.status == 0 ? result.problem
                                            : fmt::format("the receiver answers with status {}", result.status);
    if (text == last_) return;
    last_ = text;
    print_text(fmt::format("dscope: {}\n", text.empty() ? "metrics are pushed again"
                                                        : fmt::format("cannot push metrics to {}: {}", url, text)));
  }

 private:
  std::string last_;
};

}  // namespace

std::string otlp_url(const std::string& url) {
  size_t host = url.find("://") + 3, path = url.find('/', host);
  if (path == url.npos) return url + "/v1/metrics";
  return path + 1 == url.size() ? url + "v1/metrics" : url;
}

void PushQueue::remove_front() {
  bytes_ -= payloads_.front().size();
  payloads_.pop_front();
}

void PushQueue::add(std::string payload) {
  bytes_ += payload.size();
  payloads_.push_back(std::move(payload));
  for (; payloads_.size() > max_payloads || bytes_ > max_bytes; ++counts_.lost) remove_front();
}

void PushQueue::finish(const PostResult& result, Clock::time_point now) {
  bool is_retried = !is_accepted(result) && may_succeed_later(result);
  if (!is_retried) {
    ++(is_accepted(result) ? counts_.accepted : counts_.lost);
    remove_front();
    pause_ = first_pause;
  }
  if (!is_accepted(result)) ++counts_.failures;
  due_ = now;
  if (!is_retried) return;
  due_ += std::max<std::chrono::milliseconds>(pause_, result.retry_after);
  pause_ = std::min(pause_ * 2, max_pause);
}

PushState PushQueue::state() const {
  PushState state = counts_;
  state.waiting = payloads_.size();
  return state;
}

Result<> push_metrics(PushLink link, const OtlpSettings& settings, std::vector<std::string> headers,
                      const std::function<Result<>()>& confine) {
  using Clock = PushQueue::Clock;
  DS_TRY(HttpClient client, HttpClient::create());
  DS_TRY_VOID(confine());
  PostRequest request{.url = otlp_url(settings.url),
                      .content_type = settings.is_json ? "application/json" : "application/x-protobuf",
                      .headers = std::move(headers),
                      .body = {},
                      .is_gzip = true};
  PushQueue queue;
  FailureReport report;
  link.send(pack_push_state(queue.state()));  // the library is there
  while (!link.has_ended()) {
    auto wait = std::chrono::ceil<std::chrono::milliseconds>(queue.due() - Clock::now()).count();
    int timeout = queue.is_empty() ? -1 : static_cast<int>(std::clamp<int64_t>(wait, 0, 60'000));
    pollfd waited{.fd = link.fd(), .events = POLLIN, .revents = 0};
    ::poll(&waited, 1, timeout);
    while (auto payload = link.receive()) queue.add(gzip(*payload, GzipEffort::Fast));
    if (queue.is_empty() || Clock::now() < queue.due()) continue;
    request.body = queue.front();
    PostResult result = client.post(request);
    queue.finish(result, Clock::now());
    report.note(request.url, result);
    link.send(pack_push_state(queue.state()));
  }
  // The last values of the run, if the receiver is there.
  for (bool is_accepted_now = true; is_accepted_now && !queue.is_empty();) {
    request.body = queue.front();
    PostResult result = client.post(request);
    queue.finish(result, Clock::now());
    is_accepted_now = is_accepted(result);
  }
  return {};
}

}  // namespace dscope
