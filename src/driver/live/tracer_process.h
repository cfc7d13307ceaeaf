// TracerProcess: a process of dscope that traces for a view or a server. Whatever happens to it, they go on.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

struct TracerRequest {
  std::string program;                 // the path of dscope
  std::vector<std::string> arguments;  // argv, as for a run on its own
  std::string drill_steps;             // see compile/drill_steps.h; empty: none
  std::vector<uint32_t> targets;       // processes instead of -c and -p of the arguments; empty: those of the arguments
  bool forbids_destructive = false;    // destructive actions are refused, whatever the program and options say
  bool is_served = false;              // for --serve
  // Descriptors of the run that this one replaces, both from StartedTracer::control; -1: none.
  int replaced_state_fd = -1, shared_handover_fd = -1;
  bool keeps_streams = false;  // stdin, stdout and stderr are those of this process
};

struct StartedTracer;

class TracerProcess {
 public:
  // The process ends with this one.
  static Result<StartedTracer> start(const TracerRequest& request);
  TracerProcess(TracerProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)), status_(other.status_) {}
  TracerProcess& operator=(TracerProcess&& other) noexcept;
  // Kills the process if it has not ended.
  ~TracerProcess();

  // Asks the process to end as Ctrl-C does. Somebody must go on reading its run.
  void interrupt();
  void kill();
  // Waits for the end of the process. Returns its exit status, or 128 + the number of the signal.
  int wait();
  // Whether the process has ended; does not block.
  bool has_ended();

 private:
  explicit TracerProcess(pid_t pid) : pid_(pid) {}
  void take_status(int status);

  pid_t pid_;  // -1: has been waited for
  int status_ = 1;
};

struct StartedTracer {
  TracerProcess process;
  Fd run;       // frames of run_stream.h; does not block
  Fd control;   // is_served: receives two maps of the run when its programs are loaded (RunHandover::on_loaded)
  Fd messages;  // what the process writes on stderr; does not block; none if it keeps its streams
};

}  // namespace dscope
