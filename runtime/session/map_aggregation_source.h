// Reads the aggregations of a running program from its BPF maps.
#pragma once

#include <memory>

#include "runtime/load/bpf_map.h"
#include "runtime/output/consumer.h"

namespace dscope {

// `plan` and `maps` must outlive the result. Error if an aggregation's map is missing or does not fit the plan.
Result<std::unique_ptr<AggregationSource>> make_map_aggregation_source(const ProgramPlan& plan, const MapSet& maps);

}  // namespace dscope
