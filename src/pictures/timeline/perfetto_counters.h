// The numbers of a run's aggregations over time as counter tracks of a Perfetto trace.
#pragma once

#include <cstddef>

#include "pictures/run_model.h"
#include "pictures/timeline/perfetto_packets.h"

namespace dscope {

// The elements of an aggregation with the greatest numbers have a counter each. The name of the aggregation's track
// contains the number of the others.
inline constexpr size_t max_counters_per_aggregation = 20;

// Writes counters of which the first has the number `first_track`. Additive numbers are the totals since the start,
// for distributions the count of values. percentile() has no history and so no counter.
void write_counters(PerfettoPackets& packets, const RunModel& model, const TimelineClock& clock, uint64_t first_track);

}  // namespace dscope
