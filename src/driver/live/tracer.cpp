#include "driver/live/tracer.h"

#include <poll.h>

#include <chrono>

namespace dscope {

namespace {

constexpr auto max_end_time = std::chrono::seconds{1};

}  // namespace

Result<Tracer> Tracer::start(const TracerRequest& request) {
  DS_TRY(StartedTracer started, TracerProcess::start(request));
  return Tracer{std::move(started)};
}

Tracer& Tracer::operator=(Tracer&& other) noexcept {
  stop();
  process_ = std::move(other.process_);
  receiver_ = std::move(other.receiver_);
  return *this;
}

void Tracer::stop() {
  process_.interrupt();
  auto deadline = std::chrono::steady_clock::now() + max_end_time;
  // Read on: the process must not wait for room in the pipe.
  while (!receiver_.has_ended() && std::chrono::steady_clock::now() < deadline) {
    pollfd waited{.fd = receiver_.run_fd(), .events = POLLIN, .revents = 0};
    ::poll(&waited, 1, 50);
    receiver_.receive();
  }
  if (!receiver_.has_ended()) process_.kill();
  receiver_.close();
  process_.wait();
}

}  // namespace dscope
