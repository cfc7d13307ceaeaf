// Adds the values of a run that has been replaced to those of the run that goes on, so that counters never fall.
#pragma once

#include <vector>

#include "metrics/metric_family.h"

namespace dscope {

// Adds the points of the family in `earlier` with the same name and kind: counters, histograms with the same bounds,
// and the sums and counts of summaries. Gauges and quantiles stay. Points of `earlier` alone are appended.
void add_earlier(MetricFamily& family, const std::vector<MetricFamily>& earlier);

}  // namespace dscope
