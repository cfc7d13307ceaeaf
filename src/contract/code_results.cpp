#include "contract/code_results.h"

#include <algorithm>

namespace dscope {

void complete_plan(ProgramPlan& plan, const CodeResults& results, uint32_t groups) {
  plan.fault_sites = results.fault_sites;
  for (size_t index : results.sleeping_programs) plan.programs[index].may_sleep = true;
  std::erase_if(plan.maps, [](const MapPlan& map) { return map.name == "ds_scratch"; });
  if (results.scratch_size == 0) return;
  // A map that is not per CPU groups its slots by CPU.
  bool is_per_cpu = results.scratch_kind == MapKind::PerCpuArray;
  plan.maps.push_back({.name = "ds_scratch",
                       .kind = results.scratch_kind,
                       .key_size = 4,
                       .value_size = results.scratch_size,
                       .max_entries = results.scratch_slots * (is_per_cpu ? 1 : groups)});
}

}  // namespace dscope
