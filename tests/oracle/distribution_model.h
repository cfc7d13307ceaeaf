// Values of aggregations, their order, and the text of distributions (consumer-and-actions.md 5.2, 5.4, 5.5, 5.9).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dscope::oracle {

struct Shape {
  std::string function;
  std::vector<int64_t> parameters;  // of lquantize: base, limit, step; of llquantize: factor, low, high, steps = factor
  bool is_distribution() const { return function.find("quantize") != std::string::npos; }
};

// All values of one element since it was created or cleared.
class Aggregated {
 public:
  void add(int64_t value, int64_t increment) { values_.push_back({value, increment}); }
  struct Value {
    int64_t value, increment;
  };
  const std::vector<Value>& values() const { return values_; }

 private:
  std::vector<Value> values_;
};

int64_t number_of(const Shape& shape, const Aggregated& data, int64_t normal);
std::string distribution_text(const Shape& shape, const Aggregated& data, int64_t normal);
// Negative if a is printed first.
int compare(const Shape& shape, const Aggregated& a, const Aggregated& b);

}  // namespace dscope::oracle
