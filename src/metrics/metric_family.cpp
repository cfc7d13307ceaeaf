#include "metrics/metric_family.h"

#include <cmath>

#include "support/format.h"

namespace dscope {

double scaled(double value, double factor) {
  double divisor = std::round(1 / factor);
  bool is_fraction = factor < 1 && std::abs(divisor * factor - 1) < 1e-12;
  return is_fraction ? value / divisor : value * factor;
}

double MetricNumber::real() const {
  if (form_ == Form::Real) return real_;
  return form_ == Form::Signed ? static_cast<double>(static_cast<int64_t>(integer_)) : static_cast<double>(integer_);
}

std::optional<int64_t> MetricNumber::integer() const {
  auto value = static_cast<int64_t>(integer_);
  if (form_ == Form::Real || (form_ == Form::Unsigned && value < 0)) return std::nullopt;
  return value;
}

std::string MetricNumber::text() const {
  if (form_ == Form::Signed) return fmt::format("{}", static_cast<int64_t>(integer_));
  if (form_ == Form::Unsigned) return fmt::format("{}", integer_);
  if (std::isnan(real_)) return "NaN";
  if (std::isinf(real_)) return real_ > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", real_);
}

MetricNumber MetricNumber::operator+(const MetricNumber& other) const {
  if (form_ == other.form_ && form_ != Form::Real) return {form_, integer_ + other.integer_, 0};
  return of_real(real() + other.real());
}

}  // namespace dscope
