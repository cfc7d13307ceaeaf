// The names of metrics: from the names of the script and its aggregations, and from rules of option metric.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pictures/run_update.h"
#include "support/result.h"

namespace dscope {

// The names that a rule sets for one aggregation. Empty members keep the defaults.
struct MetricRule {
  std::string aggregation;        // without the @; "_" for the anonymous one
  std::string name;               // the whole name of the family, without _total
  std::string unit;               // "none": no unit
  std::vector<std::string> keys;  // the names of the labels, in the order of the keys
  std::string help;
  double scale = 1;
  bool is_gauge = false;  // of sum(): the values may be negative
};

// "@latency name=disk_time unit=seconds scale=1e-9 type=gauge keys=disk,op help=Time of disk I/O". help= takes the
// rest.
Result<MetricRule> parse_metric_rule(std::string_view text);

struct FamilyNames {
  std::string name, unit, help;
  std::vector<std::string> labels;  // by key
  double scale = 1;
  bool is_gauge = false;
};

// By these rules, unless `rules` has one for the aggregation:
// - dscope_, the name of the script without its folder and ending (none for -n), _, the name of the aggregation (the
//   name of its function for the anonymous one), in lower case; other characters than letters, digits and _ become _.
// - A unit is appended: nanoseconds if a word of the aggregation's name is time, latency, delay, duration or ns, bytes
//   if it is bytes, byte or size; none for count(). The words ns, bytes and byte themselves are left out.
// - Labels are the D expressions of the keys, with _ for other characters.
FamilyNames names_of(const PictureAggregation& aggregation, std::string_view script,
                     const std::vector<MetricRule>& rules);

// Valid UTF-8 without control characters.
std::string label_text(std::string_view text);

}  // namespace dscope
