#include "driver/web/push_link.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace dscope {

Result<std::pair<PushLink, PushLink>> PushLink::make_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
    return fail(Error::from_errno(errno, "cannot create a socket pair"));
  return std::pair{PushLink{Fd{ends[0]}}, PushLink{Fd{ends[1]}}};
}

bool PushLink::send(std::string_view payload) {
  if (has_ended_ || has_unsent() || payload.size() > max_payload_bytes) return false;
  auto size = static_cast<uint32_t>(payload.size());
  unsent_.assign(reinterpret_cast<const char*>(&size), sizeof size);
  unsent_ += payload;
  flush();
  return true;
}

void PushLink::flush() {
  size_t sent = 0;
  while (sent < unsent_.size()) {
    ssize_t count = ::send(socket_.get(), unsent_.data() + sent, unsent_.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN) has_ended_ = true;
    if (count < 0) break;
    sent += static_cast<size_t>(count);
  }
  unsent_.erase(0, sent);
  if (unsent_.empty() || has_ended_) unsent_ = {};
}

std::optional<std::string> PushLink::receive() {
  std::array<char, 65536> piece;
  while (!has_ended_ && received_.size() <= max_payload_bytes) {
    ssize_t count = ::recv(socket_.get(), piece.data(), piece.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) has_ended_ = true;
    else received_.append(piece.data(), static_cast<size_t>(count));
  }
  uint32_t size = 0;
  if (received_.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, received_.data(), sizeof size);
  if (size > max_payload_bytes) has_ended_ = true;
  if (received_.size() - sizeof size < size) return std::nullopt;
  std::string payload = received_.substr(sizeof size, size);
  received_.erase(0, sizeof size + size);
  if (received_.empty()) received_ = {};
  return payload;
}

std::string pack_push_state(const PushState& state) {
  std::string payload(sizeof state, '\0');
  std::memcpy(payload.data(), &state, sizeof state);
  return payload;
}

std::optional<PushState> unpack_push_state(std::string_view payload) {
  PushState state;
  if (payload.size() != sizeof state) return std::nullopt;
  std::memcpy(&state, payload.data(), sizeof state);
  return state;
}

}  // namespace dscope
