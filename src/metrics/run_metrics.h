// RunMetrics: the aggregations of a run as metric families.
//
//   count(), sum()                           counter; sum() a gauge by type=gauge of option metric
//   min(), max()                             gauge
//   avg()                                    summary with sum and count
//   stddev()                                 the same, and a counter NAME_squares: the sum of the squares
//   quantize(), lquantize(), llquantize()    histogram; its bounds are those of D
//   percentile()                             summary with quantiles
//
// The keys are labels, except stacks: elements that differ only in their stacks are one point, which names the largest
// one. Elements that were removed by trunc(@a, n) are left out.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/family_names.h"
#include "metrics/metric_family.h"
#include "pictures/run_model.h"

namespace dscope {

class RunMetrics {
 public:
  // `script`: the file of the program; empty: it came from -n.
  RunMetrics(const RunStart& start, std::string_view script, const std::vector<MetricRule>& rules);

  std::vector<MetricFamily> families(const RunModel& model) const;

  // The families begin with the values of a run that this one replaces, so that counters go on: with those of `earlier`
  // as of `model`, its end. Families of the same name, kind and bounds match, in points with the same labels.
  // `continued`: by aggregation, whether RunModel::continue_from() has carried its values on.
  void begin_with(const RunMetrics& earlier, const RunModel& model, const std::vector<bool>& continued);
  void begin_with(std::vector<MetricFamily> earlier) { earlier_ = std::move(earlier); }
  // Leaves out points of earlier runs whose labels have not appeared in this one.
  void forget_earlier_points(const RunModel& model);

 private:
  std::vector<FamilyNames> names_;  // by aggregation
  std::vector<MetricFamily> earlier_;
};

// D counts values from `low` up to, not including, `high`, and Prometheus up to and including its bounds. Values are
// integers, so high - 1 is the bound. The buckets of `info` with all bounds that the function can have.
std::vector<MetricBucket> metric_buckets(const PictureAggregation& info, const std::vector<PictureBucket>& buckets);

}  // namespace dscope
