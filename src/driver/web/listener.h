// The listening socket of a page or of --serve.
#pragma once

#include <string>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

struct Listener {
  Fd socket;
  std::string url;           // "http://127.0.0.1:9464" or "unix:/run/dscope.sock", for messages
  std::string path;          // of a Unix socket that this process has made, to remove at the end
  uint16_t port = 0;         // 0: not TCP
  bool is_loopback = false;  // TCP on 127.0.0.1 or ::1
  bool is_local = false;     // nobody on another machine can connect
};

// `port`: 0: one that is free.
Result<Listener> listen_on_loopback(uint16_t port);

// `address`: "[HOST]:PORT" (no host: this machine only), "unix:PATH", which only the user may open, or "fd://N", a
// socket that systemd has opened (sd_listen_fds(3)). A socket that is left from a server that has gone is replaced.
Result<Listener> listen_on(const std::string& address);

}  // namespace dscope
