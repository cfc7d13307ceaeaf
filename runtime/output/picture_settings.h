// PictureSettings: which RunSink a consumer sends its run to, and the data of the run that the consumer cannot gather.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "pictures/run_sink.h"

namespace dscope {

struct PictureSettings {
  RunSink* sink = nullptr;      // null: the run has no pictures. Outlives the consumer
  RunStart start = {};          // but for the probes, the aggregations and the intervals, which the consumer adds
  bool records_stacks = false;  // PictureRow::stack
  // Elements of an aggregation beyond these are summed up in one (NewElement::is_overflow); 0: there is no limit.
  size_t max_elements = 0;
  std::chrono::milliseconds min_period{100};  // between updates
  // Elements that have not changed for this time are removed; 0: none are. Needs max_elements.
  std::chrono::nanoseconds max_idle{0};
  bool shows_aggregations = false;  // the end of the run prints no aggregations by itself
  // Sets RunCost::program_cpu_ns and RunCost::firings; null: they are not measured.
  std::function<void(RunCost& cost)> measure_programs = {};
};

}  // namespace dscope
