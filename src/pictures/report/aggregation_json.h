// An aggregation of a report's document: its keys by column, its values, its buckets and its history.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "pictures/report/stack_trie.h"
#include "pictures/run_model.h"

namespace dscope {

// Adds the stacks of the keys to `stacks`. `start_ns`: of the run, since 1970.
nlohmann::json aggregation_json(const AggregationModel& aggregation, StackTrie& stacks, int64_t start_ns);

}  // namespace dscope
