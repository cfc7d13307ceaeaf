// Where the records of a recording have the values of an event. The driver makes it of the plan.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contract/program_plan.h"

namespace dscope {

// The record of a clause that records events.
struct RecordedClause {
  uint32_t clause = 0;  // its number
  Field time, pid, tid, ppid, uid, gid, execname;
  std::optional<Field> error, kernel_stack, user_stack;
  std::vector<Field> columns;  // parallel to CapturedShape::columns of its probes
};

struct RecordingLayout {
  std::vector<RecordedClause> clauses;
  static constexpr uint32_t not_recorded = UINT32_MAX;
  std::vector<uint32_t> probe_of_row;      // index into CaptureInfo::probes, by row of the plan
  std::vector<uint32_t> snapshot_clauses;  // numbers of the clauses that call snapshot()
};

}  // namespace dscope
