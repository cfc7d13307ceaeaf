#include "metrics/metric_format.h"

#include <cstdlib>

#include "metrics/prometheus_protobuf.h"
#include "metrics/prometheus_text.h"

namespace dscope {

namespace {

constexpr MetricFormat text_format = {"text/plain; version=0.0.4; charset=utf-8", prometheus_text};
constexpr MetricFormat openmetrics_format = {"application/openmetrics-text; version=1.0.0; charset=utf-8",
                                             openmetrics_text};
constexpr MetricFormat protobuf_format = {
    "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited",
    prometheus_protobuf};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// Removes and returns what stands before the first `separator`.
std::string_view take_until(std::string_view& text, char separator) {
  std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return trimmed(part);
}

const MetricFormat* format_of(std::string_view type) {
  if (type == "application/openmetrics-text") return &openmetrics_format;
  if (type == "application/vnd.google.protobuf") return &protobuf_format;
  if (type == "text/plain" || type == "text/*" || type == "*/*") return &text_format;
  return nullptr;
}

}  // namespace

const MetricFormat& accepted_format(std::string_view accept) {
  const MetricFormat* best = &text_format;
  double best_quality = 0;
  while (!accept.empty()) {
    std::string_view each = take_until(accept, ',');
    const MetricFormat* format = format_of(take_until(each, ';'));
    double quality = 1;
    while (!each.empty()) {
      std::string_view parameter = take_until(each, ';');
      if (parameter.starts_with("q=")) quality = std::strtod(std::string{parameter.substr(2)}.c_str(), nullptr);
      if (parameter.starts_with("proto=") && parameter != "proto=io.prometheus.client.MetricFamily") format = nullptr;
      if (parameter.starts_with("encoding=") && parameter != "encoding=delimited") format = nullptr;
    }
    if (format == nullptr || quality <= best_quality) continue;
    best = format;
    best_quality = quality;
  }
  return *best;
}

}  // namespace dscope
