// Which format of metrics a client wants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric_family.h"

namespace dscope {

struct MetricFormat {
  const char* content_type;
  std::string (*text)(const std::vector<MetricFamily>& families);
};

// By the header Accept (RFC 9110, 12.5.1). Prometheus' text if it accepts none of ours.
const MetricFormat& accepted_format(std::string_view accept);

}  // namespace dscope
