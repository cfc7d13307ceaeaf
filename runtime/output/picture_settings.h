// What a consumer needs to describe its run for pictures.
#pragma once

#include <functional>

#include "pictures/run_sink.h"

namespace dscope {

struct PictureSettings {
  RunSink* sink = nullptr;  // null: the run has no pictures. Outlives the consumer
  RunStart start = {};      // but for the probes and aggregations, which the consumer adds
  // Sets RunCost::program_cpu_ns and RunCost::firings; null: they are not measured.
  std::function<void(RunCost& cost)> measure_programs = {};
};

}  // namespace dscope
