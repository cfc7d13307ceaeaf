// Tracer: a process that traces for the live view, and its run. The view has no privileges of its own to lose and no
// terminal to share.
#pragma once

#include <string>

#include "driver/live/run_receiver.h"
#include "driver/live/tracer_process.h"
#include "support/result.h"

namespace dscope {

class Tracer {
 public:
  static Result<Tracer> start(const TracerRequest& request);
  Tracer(Tracer&& other) noexcept = default;
  Tracer& operator=(Tracer&& other) noexcept;
  ~Tracer() { stop(); }

  // Ends the process as Ctrl-C does, and takes what it still sends, for a second at most. Then kills it.
  void stop();

  RunReceiver& receiver() { return receiver_; }
  const RunReceiver& receiver() const { return receiver_; }
  const RunModel* model() const { return receiver_.model(); }
  bool is_attached() const { return receiver_.is_attached(); }
  bool has_ended() const { return receiver_.has_ended(); }
  const std::string& messages() const { return receiver_.messages(); }
  // The exit status of the process after has_ended().
  int exit_status() { return process_.wait(); }

 private:
  explicit Tracer(StartedTracer started)
      : process_(std::move(started.process)), receiver_(std::move(started.run), std::move(started.messages)) {}

  TracerProcess process_;
  RunReceiver receiver_;
};

}  // namespace dscope
