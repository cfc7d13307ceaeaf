// The server process and the signals of a supervisor, for --live=http and --serve.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "driver/web/channel.h"
#include "driver/web/push_link.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

// The process that serves. It ends when the channel ends.
struct ServerProcess {
  pid_t pid = -1;
  Channel channel;
};

// Forks. `serve` runs in the new process, which ends with it. `name`: for its messages.
Result<ServerProcess> start_server(const std::string& name, const std::function<Result<>(Channel channel)>& serve);

// A process that pushes metrics, beside the server. It ends when its link ends.
struct PusherProcess {
  pid_t pid = -1;
  PushLink link;  // for the server
};

// Forks. `push` runs in the new process, which ends with it.
Result<PusherProcess> start_pusher(const std::string& name, const std::function<Result<>(PushLink link)>& push);

// SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGCHLD of this process.
class Signals {
 public:
  // The signals are blocked from now on.
  static Result<Signals> take();
  int fd() const { return fd_.get(); }
  // The signals that have arrived. Does not block.
  std::vector<int> arrived();

 private:
  explicit Signals(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

// Waits for a signal or a message.
void wait_for(const Signals& signals, const Channel& channel);

}  // namespace dscope
