// The metrics of dscope itself: what was lost, what tracing costs, and whether the script runs.
#pragma once

#include <string>
#include <vector>

#include "metrics/metric_family.h"
#include "pictures/run_model.h"

namespace dscope {

// The state of the server itself, beside that of the run.
struct ServerState {
  bool is_up = false;  // the script is attached
  uint64_t reloads = 0, failed_reloads = 0;
  uint64_t lost_events = 0;  // of /events: clients read too slowly
  double server_cpu_seconds = 0;
};

// `script` is the label of all of them. `model` may be null.
std::vector<MetricFamily> own_metrics(const RunModel* model, const ServerState& state, const std::string& script);

}  // namespace dscope
