// A server on a socket of its own, driven by the test, and clients that speak HTTP over raw sockets.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <functional>
#include <string>

#include "web/http_server.h"

namespace dscope {

struct TestListener {
  Fd socket;
  uint16_t port = 0;

  static TestListener open() {
    TestListener listener{.socket = Fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)}, .port = 0};
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener.socket.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener.socket.get(), 64), 0);
    EXPECT_EQ(::getsockname(listener.socket.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    listener.port = ntohs(address.sin_port);
    return listener;
  }
};

class HttpTest : public testing::Test {
 protected:
  void start(HttpHandler handler, const HttpSettings& settings = {}) {
    TestListener listener = TestListener::open();
    port_ = listener.port;
    auto started = HttpServer::start(std::move(listener.socket), settings, std::move(handler));
    ASSERT_TRUE(started) << started.error().message();
    server_.emplace(std::move(*started));
  }

  Fd connect(std::string_view text) {
    Fd socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
    return socket;
  }

  // Runs the server and appends what the client receives until `is_done`, or until the server closes the connection.
  void receive(const Fd& client, std::string& text, const std::function<bool()>& is_done) {
    while (!is_done()) {
      pollfd waited[] = {{.fd = server_->poll_fd(), .events = POLLIN, .revents = 0},
                         {.fd = client.get(), .events = POLLIN, .revents = 0}};
      ::poll(waited, 2, static_cast<int>(std::min<int64_t>(100, server_->max_wait().count())));
      server_->run();
      char piece[65536];
      ssize_t count = ::recv(client.get(), piece, sizeof piece, MSG_DONTWAIT);
      if (count > 0) text.append(piece, static_cast<size_t>(count));
      if (count == 0 || (count < 0 && errno == ECONNRESET)) return;
    }
  }

  // The whole response to a request that asks to close the connection.
  std::string exchange(std::string_view request) {
    Fd client = connect(request);
    std::string text;
    receive(client, text, [] { return false; });
    return text;
  }

  std::string get(const std::string& path, const std::string& headers = {}) {
    return exchange("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + "\r\n");
  }

  std::optional<HttpServer> server_;
  uint16_t port_ = 0;
};

}  // namespace dscope
