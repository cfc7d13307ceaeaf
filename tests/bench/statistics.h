// Medians and quantiles of a handful of measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dscope::bench {

using Samples = std::vector<double>;

// The value below which `part` (0..1) of the samples lie; 0 if there are none.
inline double quantile(Samples samples, double part) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  return samples[static_cast<size_t>(part * static_cast<double>(samples.size() - 1) + 0.5)];
}

inline double median(const Samples& samples) { return quantile(samples, 0.5); }

// Half the distance between the quartiles, relative to the median.
inline double noise(const Samples& samples) {
  const double middle = median(samples);
  if (samples.size() < 3 || middle == 0) return 0;
  return (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2 / std::abs(middle);
}

}  // namespace dscope::bench
