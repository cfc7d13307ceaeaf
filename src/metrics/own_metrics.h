// The metrics of dscope itself: what was lost, what tracing costs, and whether the script runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/metric_family.h"
#include "pictures/run_model.h"

namespace dscope {

// The fate of the payloads for an OTLP receiver.
struct PushState {
  uint64_t accepted = 0, failures = 0, lost = 0;  // since the start; failures counts attempts
  uint64_t waiting = 0;                           // now
};

// The state of the server itself, beside that of the run.
struct ServerState {
  bool is_up = false;  // the script is attached
  uint64_t reloads = 0, failed_reloads = 0;
  uint64_t lost_events = 0;  // of /events: clients read too slowly
  double server_cpu_seconds = 0;
  std::optional<PushState> push = {};  // if there is a receiver
};

// `script` is the label of all of them. `model` may be null.
std::vector<MetricFamily> own_metrics(const RunModel* model, const ServerState& state, const std::string& script);

}  // namespace dscope
