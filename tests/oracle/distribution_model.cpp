#include "distribution_model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace dscope::oracle {

namespace {

struct Bucket {
  std::string label;
  int64_t min = 0, max = 0;  // range of its values
  long double weight = 0;    // for the order of elements
  int64_t count = 0;
};

struct Table {
  std::vector<Bucket> buckets;
  size_t zero = SIZE_MAX;         // bucket whose count breaks ties between equal sums
  size_t shown_if_empty[2] = {};  // first and last bucket printed for an empty distribution
  int label_width = 16;
};

Table quantize_table() {
  Table table;
  for (int k = 62; k >= 0; --k) {
    int64_t bound = int64_t{1} << k;
    int64_t least = k == 62 ? INT64_MIN : -(2 * bound - 1);
    table.buckets.push_back({std::to_string(-bound), least, -bound, -static_cast<long double>(bound)});
  }
  table.buckets.push_back({"0", 0, 0, 0});
  for (int k = 0; k <= 62; ++k) {
    int64_t bound = int64_t{1} << k;
    int64_t max = k == 62 ? INT64_MAX : 2 * bound - 1;
    table.buckets.push_back({std::to_string(bound), bound, max, static_cast<long double>(bound)});
  }
  table.zero = 63;
  table.shown_if_empty[0] = 62, table.shown_if_empty[1] = 64;
  return table;
}

Table lquantize_table(const std::vector<int64_t>& parameters) {
  int64_t base = parameters[0], step = parameters[2], levels = (parameters[1] - base) / step;
  int64_t end = base + levels * step;
  Table table;
  table.buckets.push_back({"< " + std::to_string(base), INT64_MIN, base - 1, static_cast<long double>(base - 1)});
  for (int64_t bound = base; bound < end; bound += step) {
    if (bound == 0) table.zero = table.buckets.size();
    table.buckets.push_back({std::to_string(bound), bound, bound + step - 1, static_cast<long double>(bound)});
  }
  table.buckets.push_back({">= " + std::to_string(end), end, INT64_MAX, static_cast<long double>(end + 1)});
  table.shown_if_empty[1] = std::min<size_t>(2, table.buckets.size() - 1);
  return table;
}

// With as many steps as the factor: every step of the range [f^m, f^(m+1)) is f^m wide.
Table llquantize_table(const std::vector<int64_t>& parameters) {
  int64_t factor = parameters[0], unit = 1;
  for (int64_t m = 0; m < parameters[1]; ++m) unit *= factor;
  int64_t smallest = unit;
  std::vector<Bucket> positive;
  for (int64_t m = parameters[1]; m <= parameters[2]; ++m, unit *= factor)
    for (int64_t bound = unit; bound < unit * factor; bound += unit)
      positive.push_back({std::to_string(bound), bound, bound + unit - 1, static_cast<long double>(bound)});
  positive.push_back({">= " + std::to_string(unit), unit, INT64_MAX, static_cast<long double>(unit)});
  Table table;
  for (auto bucket = positive.rbegin(); bucket != positive.rend(); ++bucket) {
    bool is_end = bucket == positive.rbegin();
    table.buckets.push_back({is_end ? "<= -" + std::to_string(unit) : "-" + bucket->label,
                             is_end ? INT64_MIN : -bucket->max, -bucket->min, -bucket->weight});
  }
  table.zero = table.buckets.size();
  table.buckets.push_back({smallest == 1 ? "0" : std::to_string(smallest), 1 - smallest, smallest - 1, 0});
  table.buckets.insert(table.buckets.end(), positive.begin(), positive.end());
  table.shown_if_empty[0] = table.zero, table.shown_if_empty[1] = table.zero + 2;
  return table;
}

Table table_of(const Shape& shape, const Aggregated& data) {
  Table table = shape.function == "quantize"    ? quantize_table()
                : shape.function == "lquantize" ? lquantize_table(shape.parameters)
                                                : llquantize_table(shape.parameters);
  for (const auto& [value, increment] : data.values())
    for (Bucket& bucket : table.buckets)
      if (value >= bucket.min && value <= bucket.max) bucket.count += increment;
  return table;
}

std::string line(const Bucket& bucket, int64_t normal, long double total, bool has_positive, bool has_negative) {
  int length = has_positive && has_negative ? 20 : 40;
  int bar = 0;
  if (total > 0) bar = static_cast<int>(std::fabs(static_cast<long double>(bucket.count)) * length / total + 0.5L);
  std::string full(static_cast<size_t>(bar), '@'), rest(static_cast<size_t>(length - bar), ' ');
  std::string middle;
  if (has_positive && has_negative)
    middle = bucket.count <= 0 ? rest + full + "|" + std::string(20, ' ') : std::string(20, ' ') + "|" + full + rest;
  else middle = has_negative ? rest + full + "|" : "|" + full + rest;
  char text[200];
  std::snprintf(text, sizeof text, "%16s %s %-9lld\n", bucket.label.c_str(), middle.c_str(),
                static_cast<long long>(bucket.count / normal));
  return text;
}

}  // namespace

std::string distribution_text(const Shape& shape, const Aggregated& data, int64_t normal) {
  Table table = table_of(shape, data);
  auto& buckets = table.buckets;
  size_t first = buckets.size(), last = 0;
  for (size_t i = 0; i < buckets.size(); ++i) {
    if (buckets[i].count == 0) continue;
    first = std::min(first, i);
    last = i;
  }
  bool is_empty = first == buckets.size();
  if (is_empty) first = table.shown_if_empty[0], last = table.shown_if_empty[1];
  size_t margin = is_empty ? 0 : 1;
  first -= std::min(first, margin);
  last = std::min(last + margin, buckets.size() - 1);
  if (shape.function == "llquantize" && buckets[table.zero].label != "0") {
    std::string& label = buckets[table.zero].label;
    label = (first >= table.zero ? "< " : "abs() < ") + label;
  }
  long double total = 0;
  bool has_positive = false, has_negative = false;
  for (const Bucket& bucket : buckets) {
    total += std::fabs(static_cast<long double>(bucket.count));
    has_positive |= bucket.count > 0;
    has_negative |= bucket.count < 0;
  }
  char header[100];
  std::snprintf(header, sizeof header, "\n%16s %41s %-9s\n", "value", "------------- Distribution -------------",
                "count");
  std::string text = header;
  for (size_t i = first; i <= last; ++i) text += line(buckets[i], normal, total, has_positive, has_negative);
  return text;
}

int64_t number_of(const Shape& shape, const Aggregated& data, int64_t normal) {
  const std::string& function = shape.function;
  auto count = static_cast<int64_t>(data.values().size());
  int64_t sum = 0, min = INT64_MAX, max = INT64_MIN;
  __extension__ using Wide = __int128;
  Wide squares = 0;
  for (const auto& [value, increment] : data.values()) {
    sum += value;
    squares += static_cast<Wide>(value) * value;
    min = std::min(min, value), max = std::max(max, value);
  }
  if (function == "count") return count / normal;
  if (function == "sum") return sum / normal;
  if (function == "min") return min / normal;
  if (function == "max") return max / normal;
  if (count == 0) return 0;
  if (function == "avg") return sum / normal / count;
  int64_t mean = sum / normal / count;
  auto variance = static_cast<int64_t>(squares / normal / count) - mean * mean;
  auto root = static_cast<int64_t>(std::sqrt(static_cast<long double>(variance)));
  while (root * root > variance) --root;
  while ((root + 1) * (root + 1) <= variance) ++root;
  return root;
}

int compare(const Shape& shape, const Aggregated& a, const Aggregated& b) {
  auto order = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (!shape.is_distribution()) return order(number_of(shape, a, 1), number_of(shape, b, 1));
  Table left = table_of(shape, a), right = table_of(shape, b);
  auto sum = [](const Table& table) {
    long double total = 0;
    for (const Bucket& bucket : table.buckets) total += bucket.weight * static_cast<long double>(bucket.count);
    return total;
  };
  if (int by_sum = order(sum(left), sum(right)); by_sum != 0) return by_sum;
  if (left.zero == SIZE_MAX) return 0;
  return order(left.buckets[left.zero].count, right.buckets[right.zero].count);
}

}  // namespace dscope::oracle
