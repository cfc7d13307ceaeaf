// Tracer: a process that traces for the live view, and the run that it sends. The view has no privileges of its own to
// lose and no terminal to share: whatever happens to the tracer, the view goes on.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "pictures/run_model.h"
#include "pictures/run_stream.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class Tracer {
 public:
  struct Request {
    std::string program;                 // the path of dscope
    std::vector<std::string> arguments;  // argv, with --live
    std::string drill_steps;             // see compile/drill_steps.h; empty: none
    std::vector<uint32_t> targets;  // processes instead of -c and -p of the arguments; empty: those of the arguments
  };

  // The process ends with this one.
  static Result<Tracer> start(const Request& request);
  Tracer(Tracer&& other) noexcept : pid_(-1) { *this = std::move(other); }
  Tracer& operator=(Tracer&& other) noexcept;
  ~Tracer() { stop(); }

  // Readable when receive() may have something new; -1: nothing will come.
  int run_fd() const { return run_.get(); }
  int message_fd() const { return messages_.get(); }
  // Takes what has arrived into the model. Does not block.
  void receive();
  // Asks the process to end as Ctrl-C does, and waits for it, a second at most. Then kills it.
  void stop();

  // Null until the program is loaded and about to be attached.
  const RunModel* model() const { return model_ ? &*model_ : nullptr; }
  bool is_attached() const { return is_attached_; }  // an update has arrived
  bool has_ended() const { return !run_; }
  // The exit status of the process after has_ended().
  int exit_status();
  // The text that the process has written on stderr.
  const std::string& messages() const { return text_; }

 private:
  Tracer(pid_t pid, Fd run, Fd messages) : pid_(pid), run_(std::move(run)), messages_(std::move(messages)) {}
  void receive_messages();
  void apply(RunMessage message);

  pid_t pid_;  // -1: has been waited for
  Fd run_, messages_;
  RunStreamReader reader_;
  std::optional<RunModel> model_;
  bool is_attached_ = false;
  std::string text_;
  int status_ = 1;
};

}  // namespace dscope
