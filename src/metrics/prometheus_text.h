// The text formats of metrics: Prometheus 0.0.4 and OpenMetrics 1.0.
#pragma once

#include <string>
#include <vector>

#include "metrics/metric_family.h"

namespace dscope {

// prometheus.io/docs/instrumenting/exposition_formats
std::string prometheus_text(const std::vector<MetricFamily>& families);
// github.com/OpenObservability/OpenMetrics, specification 1.0: with units, creation times, exemplars and an end.
std::string openmetrics_text(const std::vector<MetricFamily>& families);

}  // namespace dscope
