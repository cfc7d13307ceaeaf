// Maps of programs that run as a service: "ds_overflow" keeps the totals of aggregations whose own map is full, and
// "ds_handover" lets another run take over on a reload without missing or repeating an event.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contract/program_plan.h"

namespace dscope {

// Whether the program has these maps. A bundle of a script that describes metrics may be served later.
bool is_for_service(const OptionValues& options);

// Whether the script itself prints or changes the aggregation, so that its elements must stay in the map.
bool is_handled_by_script(const ProgramPlan& plan, uint32_t aggregation);

// Map "ds_overflow" is an array with an element for each CPU, which has a value for each aggregation that takes part:
// those with keys and a map that the script does not handle.
struct OverflowLayout {
  std::vector<std::optional<uint32_t>> offsets;  // bytes from the start of an element, by aggregation
  uint32_t size = 0;                             // bytes of an element
};
OverflowLayout overflow_layout(const ProgramPlan& plan);

// Adds the maps. `plan` has its aggregations, clauses and their maps.
void add_service_maps(ProgramPlan& plan, uint32_t cpu_count);

// How a program takes part in a handover.
struct HandoverRole {
  uint32_t order = 0;  // DS_ORDER_*: the order in which the kernel runs two programs at its hook
  uint32_t slot = 0;   // equal for the program of another run at the same hook
};
HandoverRole handover_role(const ProgramPlan& plan, size_t program);

}  // namespace dscope
