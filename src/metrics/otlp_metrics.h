// The OpenTelemetry protocol: families as an ExportMetricsServiceRequest (opentelemetry-proto 1.x), in protobuf or
// JSON. All counters, histograms and summaries are cumulative.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/metric_family.h"

namespace dscope {

// AGGREGATION_TEMPORALITY_CUMULATIVE
inline constexpr int otlp_cumulative = 2;

struct OtlpResource {
  std::vector<std::pair<std::string, std::string>> attributes;  // by the semantic conventions
  std::string scope_version;                                    // of dscope
};

// The attributes of this machine, with those of the environment variables OTEL_SERVICE_NAME and
// OTEL_RESOURCE_ATTRIBUTES, which override them. `environment` returns "" for variables that are not set.
OtlpResource describe_resource(std::string_view version, std::string (*environment)(const char* name));

// `time_ns`: since 1970, of all points.
std::string otlp_protobuf(const std::vector<MetricFamily>& families, const OtlpResource& resource, int64_t time_ns);
std::string otlp_json(const std::vector<MetricFamily>& families, const OtlpResource& resource, int64_t time_ns);

// The unit in the notation of UCUM, which OTLP uses: "s", "By".
std::string_view ucum_unit(std::string_view unit);

}  // namespace dscope
