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
  MapKind scratch_kind{};      // per CPU, unless slots exceed the kernel's limit for per-CPU elements
  uint32_t scratch_slots = 0;  // of each CPU
  std::vector<PlanPosition> fault_sites;
  std::set<size_t> sleeping_programs;  // plan indices of the programs that may sleep
  LateCode late;                       // empty unless the code is portable
};

// Completes the plan: the scratch map, the fault sites, the programs that may sleep. `cpu_count`: possible CPUs.
void complete_plan(ProgramPlan& plan, const CodeResults& results, uint32_t cpu_count);

}  // namespace dscope
