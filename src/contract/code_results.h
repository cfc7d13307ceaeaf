// CodeResults: what lowering found out that the plan and the loader need.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "contract/late_code.h"
#include "contract/program_plan.h"

namespace dscope {

struct CodeResults {
  uint32_t scratch_size = 0;   // bytes of one scratch slot; 0: no program needs one
  MapKind scratch_kind{};      // see lower()
  uint32_t scratch_slots = 0;  // of each CPU or group of CPUs
  std::vector<PlanPosition> fault_sites;
  std::set<size_t> sleeping_programs;  // plan indices of the programs that may sleep
  LateCode late;                       // empty unless the code is portable
};

// Completes the plan: the scratch map, the fault sites, the programs that may sleep. `groups`: of CPUs that share
// scratch slots in an ordinary array.
void complete_plan(ProgramPlan& plan, const CodeResults& results, uint32_t groups);

}  // namespace dscope
