// ExecWatch: whether a process has executed another program since the watch was opened.
#pragma once

#include <sys/types.h>

#include <optional>

#include "runtime/load/bpf_map.h"
#include "support/fd.h"

namespace dscope {

class ExecWatch {
 public:
  // Nothing if the kernel refuses: perf_event_open(2) needs CAP_PERFMON.
  static std::optional<ExecWatch> open(pid_t pid);
  // Also after the process has ended.
  bool has_executed() const;

 private:
  ExecWatch(Fd event, MappedMemory ring) : event_(std::move(event)), ring_(std::move(ring)) {}

  Fd event_;
  MappedMemory ring_;  // the header page of perf events, and one page of records that are never consumed
};

}  // namespace dscope
