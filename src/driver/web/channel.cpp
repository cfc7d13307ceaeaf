#include "driver/web/channel.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "driver/web/channel_message.h"

namespace dscope {

namespace {

constexpr size_t max_descriptors = 4;

std::vector<Fd> descriptors_of(msghdr& header) {
  std::vector<Fd> descriptors;
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    for (size_t i = 0; i < (part->cmsg_len - CMSG_LEN(0)) / sizeof(int); ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof fd);
      descriptors.emplace_back(fd);
    }
  }
  return descriptors;
}

}  // namespace

Result<std::pair<Channel, Channel>> Channel::make_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(Error::from_errno(errno, "cannot create a socket pair"));
  return std::pair{Channel{Fd{ends[0]}}, Channel{Fd{ends[1]}}};
}

bool Channel::send(const nlohmann::json& message, const std::vector<int>& descriptors) {
  std::string text = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > max_message_bytes || descriptors.size() > max_descriptors) return false;
  iovec piece{.iov_base = text.data(), .iov_len = text.size()};
  msghdr header{};
  header.msg_iov = &piece;
  header.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(max_descriptors * sizeof(int))> control{};
  if (!descriptors.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size() * sizeof(int));
  }
  ssize_t sent = 0;
  while ((sent = ::sendmsg(socket_.get(), &header, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  return sent >= 0;
}

std::optional<Channel::Message> Channel::receive() {
  std::string text(max_message_bytes, '\0');
  alignas(cmsghdr) std::array<char, CMSG_SPACE(max_descriptors * sizeof(int))> control{};
  iovec piece{.iov_base = text.data(), .iov_len = text.size()};
  msghdr header{};
  header.msg_iov = &piece;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  ssize_t count = ::recvmsg(socket_.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  Message message;
  if (count > 0) {
    message.descriptors = descriptors_of(header);
    text.resize(static_cast<size_t>(count));
    message.value = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  }
  has_ended_ = !message.value.is_object();
  if (has_ended_) return std::nullopt;
  return message;
}

}  // namespace dscope
