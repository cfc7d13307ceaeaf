// ClauseBudget: option cpubudget. Detaches the program of a clause that uses more than its share of a CPU, and attaches
// it again after a pause.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "pictures/run_update.h"
#include "runtime/attach/attach.h"
#include "runtime/load/loader.h"
#include "runtime/session/session_messages.h"

namespace dscope {

class ClauseBudget {
 public:
  using Clock = std::chrono::steady_clock;

  // The kernel must count the time of programs (ProgramCost). All references outlive this object.
  ClauseBudget(const std::vector<LoadedProgram>& programs, AttachedPrograms& attached, const OptionValues& options,
               SessionMessages& messages);

  // When poll() has something to do.
  Clock::time_point due() const { return due_; }
  void poll();
  // Adds to the parts of `cost` which programs are detached, and how often they were.
  void add_to(RunCost& cost) const;

 private:
  // A program of the plan, which may be loaded several times.
  struct Program {
    std::vector<const LoadedProgram*> copies;
    uint64_t run_time_ns = 0;  // at the last check
    uint64_t suspensions = 0;
    std::optional<Clock::time_point> resumes_at = {};  // while it is detached

    const std::string& name() const { return copies.front()->plan->name; }
  };

  static uint64_t run_time_of(const Program& program);
  void suspend(Program& program, double share, Clock::time_point now);
  void resume(Program& program, Clock::time_point now);

  AttachedPrograms& attached_;
  SessionMessages& messages_;
  double max_share_;
  Clock::duration window_;
  int only_cpu_;
  std::vector<Program> programs_;
  Clock::time_point checked_at_, due_;
};

}  // namespace dscope
