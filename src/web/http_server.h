// HttpServer: HTTP 1.1, and TLS, on a listening socket, within bounds. It belongs to a loop that waits for poll_fd():
// all work is done by run(), in the caller's thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "support/fd.h"
#include "support/result.h"
#include "web/http_session.h"

namespace dscope {

struct HttpSettings {
  unsigned max_connections = 256;
  size_t max_body_bytes = size_t{64} << 10;  // of a request; its head is limited to 32 KiB
  // Connections that transfer nothing for `max_idle`, or have not received a response `max_request_time` after they
  // were made or their last response, are closed. Streams of events may stay.
  std::chrono::seconds max_idle{30};
  std::chrono::seconds max_request_time{75};
  std::string tls_certificate, tls_key;  // PEM; empty: no TLS
};

// Called with each complete request. May keep the session and answer later.
using HttpHandler = std::function<void(const std::shared_ptr<HttpSession>&)>;

class HttpServer {
 public:
  // `listener`: a listening socket, TCP or Unix.
  static Result<HttpServer> start(Fd listener, const HttpSettings& settings, HttpHandler handler);
  HttpServer(HttpServer&&) noexcept;
  HttpServer& operator=(HttpServer&&) noexcept;
  ~HttpServer();

  // Readable when run() has work.
  int poll_fd() const;
  // How long to wait for poll_fd() at most before the next run().
  std::chrono::milliseconds max_wait() const;
  void run();
  size_t connection_count() const;

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace dscope
