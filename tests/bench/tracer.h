// A tracer (dscope, the hand-written loader, bpftrace) as a child process whose time and memory are measured.
// Its output goes to files in a temporary directory, so that the benchmark need not read it during the run.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "support/result.h"

namespace dscope::bench {

using Command = std::vector<std::string>;

struct Outcome {
  int status = 0;       // exit status, or 128 + signal
  double cpu_ms = 0;    // user and system time of the process and the children it waited for
  double wall_ms = 0;   // from before fork to its exit
  double exit_ms = 0;   // from the interrupt to its exit (stop() only)
  double peak_mib = 0;  // resident set
};

class Tracer {
 public:
  // `cpu` -1: any CPU.
  static Result<Tracer> start(const Command& command, int cpu);
  Tracer(Tracer&& other) noexcept;
  Tracer& operator=(Tracer&&) = delete;
  ~Tracer();

  // Waits until the program has printed "ready". Returns the milliseconds since the start.
  Result<double> wait_ready();
  // CPU time so far, all threads, without children.
  double cpu_ms() const;

  Outcome wait();
  Outcome stop();

  const std::string& output_path() const { return output_path_; }
  std::string error_text() const;

 private:
  Tracer() = default;
  pid_t pid_ = -1;
  double started_ = 0;
  std::string output_path_, error_path_;
};

// Runs a program that ends by itself to its end. Returns an error if the program fails.
Result<Outcome> run_to_end(const Command& command);

std::string file_text(const std::string& path);
bool is_installed(const std::string& program);

}  // namespace dscope::bench
