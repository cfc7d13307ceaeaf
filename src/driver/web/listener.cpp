#include "driver/web/listener.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "support/text/parse_integer.h"

namespace dscope {

namespace {

constexpr int backlog = 128;

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

bool is_loopback(const sockaddr& address) {
  if (address.sa_family == AF_INET)
    return (ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr) >> 24) == 127;
  return address.sa_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr);
}

uint16_t port_of(const sockaddr& address) {
  if (address.sa_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
}

Result<Listener> describe(Fd socket, const std::string& host) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto& address = reinterpret_cast<sockaddr&>(storage);
  if (::getsockname(socket.get(), &address, &size) != 0) return fail(Error::from_errno(errno, "cannot use the socket"));
  Listener listener{.socket = std::move(socket)};
  if (address.sa_family == AF_UNIX) {
    listener.url = fmt::format("unix:{}", reinterpret_cast<sockaddr_un&>(storage).sun_path);
    listener.is_local = true;
    return listener;
  }
  listener.port = port_of(address);
  listener.is_loopback = listener.is_local = is_loopback(address);
  listener.url = fmt::format("http://{}:{}", host.find(':') == host.npos ? host : "[" + host + "]", listener.port);
  return listener;
}

Result<Fd> listen_on_address(const addrinfo& address, const std::string& text) {
  Fd socket{::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  int on = 1;
  bool is_listening = socket && ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                      ::bind(socket.get(), address.ai_addr, address.ai_addrlen) == 0 &&
                      ::listen(socket.get(), backlog) == 0;
  if (!is_listening) return fail(Error::from_errno(errno, "cannot listen on {}", text));
  return socket;
}

Result<Listener> listen_on_host(const std::string& address) {
  size_t colon = address.rfind(':');
  if (colon == address.npos || !parse_integer<uint16_t>(address.substr(colon + 1))) {
    std::string hint = parse_integer<uint16_t>(address)
                           ? fmt::format("--serve=:{} listens on that port, for this machine only", address)
                           : "addresses of --serve are [HOST]:PORT, unix:PATH and fd://N";
    return fail(Error::make("invalid address: {}", address).hint(std::move(hint)).status(2));
  }
  std::string host = address.substr(0, colon);
  if (host.empty()) host = "127.0.0.1";
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (int problem = ::getaddrinfo(host.c_str(), address.c_str() + colon + 1, &wanted, &found); problem != 0)
    return fail(Error::make("cannot listen on {}: {}", address, ::gai_strerror(problem)));
  std::unique_ptr<addrinfo, FreeAddresses> owned{found};
  DS_TRY(Fd socket, listen_on_address(*found, address));
  return describe(std::move(socket), host);
}

Result<Listener> listen_on_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return fail(Error::make("invalid path of a socket: {}", path).status(2));
  std::memcpy(address.sun_path, path.c_str(), path.size());
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  // Nobody answers on a socket that is left from a server that has gone.
  Fd probe{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (::connect(probe.get(), generic, sizeof address) == 0)
    return fail(Error::make("another server listens on {}", path));
  if (errno == ECONNREFUSED) ::unlink(path.c_str());
  addrinfo wanted{};
  wanted.ai_family = AF_UNIX;
  wanted.ai_addr = generic;
  wanted.ai_addrlen = sizeof address;
  mode_t mask = ::umask(0177);
  auto socket = listen_on_address(wanted, path);
  ::umask(mask);
  if (!socket) return fail(std::move(socket).error());
  DS_TRY(Listener listener, describe(std::move(*socket), {}));
  listener.path = path;
  return listener;
}

// The environment is that of sd_listen_fds(3); descriptors begin with 3.
Result<Listener> inherited(const std::string& number) {
  constexpr int first = 3;
  auto fd = parse_integer<int>(number);
  int is_listening = 0;
  socklen_t size = sizeof is_listening;
  if (!fd || *fd < first || ::getsockopt(*fd, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) != 0 ||
      is_listening == 0)
    return fail(Error::make("not a listening socket: fd://{}", number).status(2));
  ::fcntl(*fd, F_SETFD, FD_CLOEXEC);
  ::fcntl(*fd, F_SETFL, ::fcntl(*fd, F_GETFL) | O_NONBLOCK);
  return describe(Fd{*fd}, "localhost");
}

}  // namespace

Result<Listener> listen_on_loopback(uint16_t port) { return listen_on_host(fmt::format(":{}", port)); }

Result<Listener> listen_on(const std::string& address) {
  if (address.starts_with("unix:")) return listen_on_path(address.substr(5));
  if (address.starts_with("fd://")) return inherited(address.substr(5));
  return listen_on_host(address);
}

}  // namespace dscope
