#include "driver/web/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "support/fd.h"
#include "support/format.h"

namespace dscope {

namespace {

// Type=notify-reload wants the time of the reload.
std::string message_of(ServiceState state) {
  if (state == ServiceState::Ready) return "READY=1\n";
  if (state == ServiceState::Stopping) return "STOPPING=1\n";
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return fmt::format("RELOADING=1\nMONOTONIC_USEC={}\n", time.tv_sec * 1'000'000 + time.tv_nsec / 1000);
}

}  // namespace

void notify_service_manager(ServiceState state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (path == nullptr || std::strlen(path) < 2 || std::strlen(path) >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path, std::strlen(path));
  if (path[0] == '@') address.sun_path[0] = '\0';
  Fd socket{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  std::string message = message_of(state);
  ::sendto(socket.get(), message.data(), message.size(), MSG_NOSIGNAL, reinterpret_cast<sockaddr*>(&address),
           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(path)));
}

}  // namespace dscope
