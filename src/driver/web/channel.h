// Channel: messages between the supervisor, which starts tracers, and the server, which speaks HTTP and has no
// privileges. A message is a JSON object, and may carry descriptors.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class Channel {
 public:
  static constexpr size_t max_message_bytes = size_t{128} << 10;

  // Two connected ends.
  static Result<std::pair<Channel, Channel>> make_pair();

  struct Message;
  // False if the other end has gone or the message is too long.
  bool send(const nlohmann::json& message, const std::vector<int>& descriptors = {});
  // Does not block. Nothing: there is no message. Messages that are not JSON objects end the channel.
  std::optional<Message> receive();

  int fd() const { return socket_.get(); }
  bool has_ended() const { return has_ended_; }

 private:
  explicit Channel(Fd socket) : socket_(std::move(socket)) {}

  Fd socket_;
  bool has_ended_ = false;
};

}  // namespace dscope
