// The aggregations of a native program, read from its maps.
#pragma once

#include <memory>

#include "contract/program_plan.h"
#include "runtime/aggregations/aggregation_source.h"
#include "runtime/replay/native_machine.h"

namespace dscope {

// `plan` and `machine` must outlive the result. Error if an aggregation's map is missing or does not fit the plan.
Result<std::unique_ptr<AggregationSource>> make_native_aggregation_source(const ProgramPlan& plan,
                                                                          NativeMachine& machine);

}  // namespace dscope
