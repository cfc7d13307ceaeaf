#include "aggregation_model.h"

#include <algorithm>
#include <cmath>

namespace dscope::oracle {

namespace {

__extension__ using Wide = __int128;
__extension__ using Magnitude = unsigned __int128;

Magnitude magnitude_of(int64_t value) {
  return value < 0 ? static_cast<Magnitude>(-static_cast<Wide>(value)) : static_cast<Magnitude>(value);
}

uint64_t square_root(Magnitude value) {
  uint64_t low = 0, high = UINT64_MAX;
  while (low < high) {
    uint64_t middle = high - (high - low) / 2;
    if (static_cast<Magnitude>(middle) * middle <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

int64_t wrapped_sum(const Element& element) {
  uint64_t sum = 0;
  for (const auto& [value, increment] : element.values) sum += static_cast<uint64_t>(value);
  return static_cast<int64_t>(sum);
}

// floor(sqrt(sumsq / n - (total / n)^2)), squares in 128 bits.
uint64_t standard_deviation(const Element& element) {
  auto count = static_cast<Wide>(element.values.size());
  Magnitude squares = 0;
  for (const auto& [value, increment] : element.values) squares += magnitude_of(value) * magnitude_of(value);
  Wide mean = static_cast<Wide>(wrapped_sum(element)) / count;
  return square_root(squares / static_cast<Magnitude>(count) - static_cast<Magnitude>(mean * mean));
}

// Lower bound of the power-of-two range of a value. There is no range below -2^62.
std::string quantize_label(int64_t value) {
  if (value == 0) return "0";
  Magnitude size = magnitude_of(value), bound = 1;
  while (bound * 2 <= size && bound < (Magnitude{1} << 62)) bound *= 2;
  std::string digits = std::to_string(static_cast<uint64_t>(bound));
  return value < 0 ? "-" + digits : digits;
}

std::string lquantize_label(int64_t value, const std::vector<int64_t>& parameters) {
  int64_t base = parameters[0], limit = parameters[1], step = parameters[2];
  int64_t levels = (limit - base) / step;
  if (value < base) return "< " + std::to_string(base);
  Wide level = (static_cast<Wide>(value) - base) / step;
  if (level >= levels) return ">= " + std::to_string(base + levels * step);
  return std::to_string(base + static_cast<int64_t>(level) * step);
}

std::string llquantize_label(int64_t value, const std::vector<int64_t>& parameters) {
  auto factor = static_cast<Magnitude>(parameters[0]), steps = static_cast<Magnitude>(parameters[3]);
  int64_t low = parameters[1], high = parameters[2];
  Magnitude size = magnitude_of(value), lower = 1;
  for (int64_t m = 0; m < low; ++m) lower *= factor;
  auto number = [](Magnitude n) { return std::to_string(static_cast<uint64_t>(n)); };
  std::string sign = value < 0 ? "-" : "";
  if (size < lower) return "middle";
  for (int64_t m = low; m <= high; ++m, lower *= factor) {
    Magnitude upper = lower * factor;
    if (size >= upper) continue;
    Magnitude part = m == 0 ? size * steps / factor : size / (upper / steps);
    return sign + number(std::max(lower, part * upper / steps));
  }
  return (value < 0 ? "<= -" : ">= ") + number(lower);
}

std::string label(const Aggregation& aggregation, int64_t value) {
  if (aggregation.function == "quantize") return quantize_label(value);
  if (aggregation.function == "lquantize") return lquantize_label(value, aggregation.parameters);
  return llquantize_label(value, aggregation.parameters);
}

std::string distribution(const Aggregation& aggregation, const Element& element) {
  std::map<std::string, int64_t> buckets;
  for (const auto& [value, increment] : element.values) {
    int64_t& count = buckets[label(aggregation, value)];
    count = static_cast<int64_t>(static_cast<uint64_t>(count) + static_cast<uint64_t>(increment));
  }
  std::string result;
  for (const auto& [bucket, count] : buckets)
    if (count != 0) result += (result.empty() ? "" : ",") + bucket + ":" + std::to_string(count);
  return result;
}

}  // namespace

std::string value_text(const Aggregation& aggregation, const Element& element) {
  auto by_value = [](const auto& a, const auto& b) { return a.first < b.first; };
  const auto& values = element.values;
  const std::string& function = aggregation.function;
  if (aggregation.is_distribution()) return distribution(aggregation, element);
  if (function == "count") return std::to_string(values.size());
  if (function == "sum") return std::to_string(wrapped_sum(element));
  if (function == "avg") return std::to_string(wrapped_sum(element) / static_cast<int64_t>(values.size()));
  if (function == "min") return std::to_string(std::min_element(values.begin(), values.end(), by_value)->first);
  if (function == "max") return std::to_string(std::max_element(values.begin(), values.end(), by_value)->first);
  return std::to_string(standard_deviation(element));
}

std::vector<std::string> lines_of(const Aggregation& aggregation, const Elements& elements) {
  std::vector<std::string> lines;
  for (const auto& [keys, element] : elements)
    lines.push_back("@" + aggregation.name + keys + "|" + value_text(aggregation, element));
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace dscope::oracle
