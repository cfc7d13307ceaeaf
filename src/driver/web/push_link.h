// PushLink: the two ends of the connection between the process that has the metrics, which confines itself, and the
// process that pushes them. Payloads go one way, counts the other.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "metrics/own_metrics.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class PushLink {
 public:
  static constexpr size_t max_payload_bytes = size_t{64} << 20;

  // The end of the metrics, then that of the pusher.
  static Result<std::pair<PushLink, PushLink>> make_pair();

  int fd() const { return socket_.get(); }
  // send() waits for room: wait for POLLOUT, too, and call flush().
  bool has_unsent() const { return !unsent_.empty(); }
  bool has_ended() const { return has_ended_; }

  // Neither blocks. send(): false if an earlier payload has not been sent yet, or the other end has gone.
  bool send(std::string_view payload);
  void flush();
  // The next payload that has arrived whole.
  std::optional<std::string> receive();

 private:
  explicit PushLink(Fd socket) : socket_(std::move(socket)) {}

  Fd socket_;
  std::string unsent_, received_;
  bool has_ended_ = false;
};

// The counts as a payload.
std::string pack_push_state(const PushState& state);
std::optional<PushState> unpack_push_state(std::string_view payload);

}  // namespace dscope
