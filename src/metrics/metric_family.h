// Metrics as plain data, between a run and the formats.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dscope {

enum class MetricKind : uint8_t { Counter, Gauge, Histogram, Summary };

// value * factor. Factors such as 1e-9 divide by the whole number that they stand for: 9 by 0.001 is 0.009.
double scaled(double value, double factor);

// A number as exactly as it is known.
class MetricNumber {
 public:
  MetricNumber() = default;
  static MetricNumber of_signed(int64_t value) { return {Form::Signed, static_cast<uint64_t>(value), 0}; }
  static MetricNumber of_unsigned(uint64_t value) { return {Form::Unsigned, value, 0}; }
  static MetricNumber of_real(double value) { return {Form::Real, 0, value}; }

  double real() const;
  // Integers as decimal digits, other numbers so that reading them back gives the same number; "NaN", "+Inf".
  std::string text() const;
  // The number as an integer of 64 bits with a sign, if it is one.
  std::optional<int64_t> integer() const;
  MetricNumber operator+(const MetricNumber& other) const;
  // A real number, unless `factor` is 1.
  MetricNumber times(double factor) const { return factor == 1 ? *this : of_real(scaled(real(), factor)); }

 private:
  enum class Form : uint8_t { Signed, Unsigned, Real };
  MetricNumber(Form form, uint64_t integer, double real) : form_(form), integer_(integer), real_(real) {}

  Form form_ = Form::Signed;
  uint64_t integer_ = 0;
  double real_ = 0;
};

struct MetricLabel {
  std::string name, value;  // value: valid UTF-8

  auto operator<=>(const MetricLabel&) const = default;
};

// Values above the bound of the bucket before, up to and including `bound`. The last bucket has no bound.
struct MetricBucket {
  static constexpr int64_t no_bound = std::numeric_limits<int64_t>::max();

  int64_t bound = no_bound;
  uint64_t count = 0;  // in this bucket
};

struct MetricPoint {
  std::vector<MetricLabel> labels;
  MetricNumber value;                 // Counter, Gauge
  std::vector<MetricBucket> buckets;  // Histogram: ascending, from the lowest to the one without a bound
  std::vector<std::pair<double, MetricNumber>> quantiles;  // Summary: 0.99 and the value
  std::optional<MetricNumber> count, sum;                  // Summary
  // The stack with the largest part of the value, outermost frame first, joined by `;`, and its part. Empty: no stacks.
  std::string stack;
  MetricNumber stack_value;
  int64_t created_ns = 0;  // since 1970: when counting of this point began; 0: as the family
};

struct MetricFamily {
  std::string name;  // without the suffix _total; it ends with the unit if there is one
  std::string unit;  // "bytes"; may be empty
  std::string help;
  MetricKind kind{};
  double scale = 1;             // values and bounds are multiplied by it when they are printed
  bool is_exponential = false;  // Histogram: the buckets are those of quantize()
  int64_t created_ns = 0;       // since 1970: when counting began
  std::vector<MetricPoint> points;

  int64_t created_of(const MetricPoint& point) const { return point.created_ns != 0 ? point.created_ns : created_ns; }
};

}  // namespace dscope
