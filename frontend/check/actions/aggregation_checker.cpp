#include "frontend/check/actions/aggregation_checker.h"

#include <limits>

#include "frontend/check/actions/aggregation_typer.h"
#include "frontend/check/name_table.h"
#include "support/check.h"

namespace dscope {

void AggregationChecker::check(const Assign& form) {
  const auto& call = std::get<Call>(form.rhs->form);
  const AggregationRef& reference = *aggregation_target(*form.lhs);
  Aggregation& aggregation = semantics_.aggregations[names_.find_aggregation(reference.name)->index];
  std::string_view name = row(aggregation.function).name;
  if (!call.arguments.empty()) {
    ExprInfo first = info(*call.arguments[0]);
    if (!is_error(first) && !types_.is_scalar(first.type)) {
      fail(Tag::D_AGG_SCALAR, caret_at(*form.rhs, *call.arguments[0]), "{}( ) argument #1 must be of scalar type",
           name);
      return;
    }
  }
  bool is_first = with_parameters_.insert(reference.name).second;
  switch (aggregation.function) {
    case AggregationFunction::Quantize: check_increment(*form.rhs, call, name, 2); break;
    case AggregationFunction::Lquantize: check_lquantize(*form.rhs, call, aggregation, is_first); break;
    case AggregationFunction::Percentile: check_percentile(*form.rhs, call, aggregation, is_first); break;
    case AggregationFunction::Llquantize: check_llquantize(*form.rhs, call, aggregation, is_first); break;
    case AggregationFunction::Avg:
    case AggregationFunction::Count:
    case AggregationFunction::Max:
    case AggregationFunction::Min:
    case AggregationFunction::Stddev:
    case AggregationFunction::Sum: break;
  }
}

namespace {

std::string list_text(const std::vector<PercentileNumber>& percentiles) {
  std::string text;
  for (PercentileNumber each : percentiles) text += (text.empty() ? "" : ", ") + percentile_text(each);
  return text;
}

}  // namespace

// D has no fractions, so that 99.9 is written as a string.
std::optional<PercentileNumber> AggregationChecker::percentile_argument(const Expr& expr, const Call& form,
                                                                        size_t index) {
  const Expr& argument = *form.arguments[index];
  Position at = caret_at(expr, argument);
  std::string text;
  if (const auto* literal = std::get_if<StringLiteral>(&argument.form)) text = literal->bytes;
  else if (auto number = constant_argument(form, index)) text = fmt::format("{}", *number);
  else {
    fail(Tag::D_PERCENTILE_TYPE, at, "percentile( ) argument #{} must be an integer constant, or a string: \"99.9\"",
         index + 1);
    return std::nullopt;
  }
  auto percentile = parse_percentile(text);
  if (percentile) return percentile;
  fail(Tag::D_PERCENTILE_VAL, at,
       "percentile( ) argument #{} must be a percentile from 0 to 100 with at most three decimals: {}", index + 1,
       text);
  // 999 is meant as p99.9.
  std::string with_point = text.starts_with("99") ? fmt::format("99.{}", text.substr(2)) : "";
  if (parse_percentile(with_point)) diagnostics_.hint(fmt::format("write \"{}\"", with_point));
  return std::nullopt;
}

void AggregationChecker::check_percentile(const Expr& expr, const Call& form, Aggregation& aggregation, bool is_first) {
  std::vector<PercentileNumber> percentiles;
  for (size_t i = 1; i < form.arguments.size(); ++i) {
    auto percentile = percentile_argument(expr, form, i);
    if (!percentile) return;
    percentiles.push_back(*percentile);
  }
  if (is_first) aggregation.percentiles = percentiles;
  if (aggregation.percentiles != percentiles) {
    fail(Tag::D_PERCENTILE_MATCH, expr.at,
         "percentile( ) percentiles don't match previous declaration: expected {}, found {}",
         list_text(aggregation.percentiles), list_text(percentiles));
    return;
  }
  TypeId type = info(*form.arguments[0]).type;
  if (types_.is_signed_integer(type)) aggregation.parameters[0] = signed_percentile_zero;
}

// The last argument of the quantize family: the weight of the value.
void AggregationChecker::check_increment(const Expr& expr, const Call& form, std::string_view name, size_t position) {
  if (form.arguments.size() < position) return;
  if (form.arguments.size() > position) {
    fail(Tag::D_PROTO_LEN, expr.at, "{}( ) prototype mismatch: {} args passed, at most {} expected", name,
         form.arguments.size(), position);
    return;
  }
  ExprInfo increment = info(*form.arguments[position - 1]);
  if (is_error(increment) || types_.is_scalar(increment.type)) return;
  fail(Tag::D_PROTO_ARG, caret_at(expr, *form.arguments[position - 1]),
       "{}( ) increment value (argument #{}) must be of scalar type", name, position);
}

namespace {

constexpr int64_t max_16bit = std::numeric_limits<uint16_t>::max();

bool is_32bit(int64_t number) {
  return number >= std::numeric_limits<int32_t>::min() && number <= std::numeric_limits<int32_t>::max();
}

}  // namespace

bool AggregationChecker::match_parameter(const Expr& expr, Tag tag, std::string_view what, int64_t expected,
                                         int64_t found) {
  if (expected == found) return true;
  fail(tag, expr.at, "{} doesn't match previous declaration: expected {}, found {}", what, expected, found);
  return false;
}

void AggregationChecker::check_lquantize(const Expr& expr, const Call& form, Aggregation& aggregation, bool is_first) {
  auto at = [&](size_t argument) { return caret_at(expr, *form.arguments[argument]); };
  auto base = constant_argument(form, 1), limit = constant_argument(form, 2), step = constant_argument(form, 3);
  if (!base) fail(Tag::D_LQUANT_BASETYPE, at(1), "lquantize( ) argument #1 must be an integer constant");
  if (!limit) fail(Tag::D_LQUANT_LIMTYPE, at(2), "lquantize( ) argument #2 must be an integer constant");
  if (failed()) return;
  if (!is_32bit(*base)) fail(Tag::D_LQUANT_BASEVAL, at(1), "lquantize( ) argument #1 must be a 32-bit quantity");
  if (!is_32bit(*limit)) fail(Tag::D_LQUANT_LIMVAL, at(2), "lquantize( ) argument #2 must be a 32-bit quantity");
  if (failed()) return;
  if (*base >= *limit) {
    fail(Tag::D_LQUANT_MISMATCH, expr.at, "lquantize( ) base (argument #1) must be less than limit (argument #2)");
    return;
  }
  if (form.arguments.size() <= 3) {
    step = 1;
  } else if (!step || *step <= 0) {
    fail(Tag::D_LQUANT_STEPTYPE, at(3), "lquantize( ) argument #3 must be a non-zero positive integer constant");
    return;
  } else if (*step > max_16bit) {
    fail(Tag::D_LQUANT_STEPVAL, at(3), "lquantize( ) argument #3 must be a 16-bit quantity");
    return;
  }
  int64_t levels = (*limit - *base) / *step;
  if (levels == 0)
    fail(Tag::D_LQUANT_STEPLARGE, expr.at,
         "lquantize( ) step (argument #3) too large: must have at least one quantization level");
  else if (levels > max_16bit)
    fail(Tag::D_LQUANT_STEPSMALL, expr.at,
         "lquantize( ) step (argument #3) too small: number of quantization levels must be a 16-bit quantity");
  if (failed()) return;
  if (is_first) {
    aggregation.parameters[0] = *base;
    aggregation.parameters[1] = levels;
    aggregation.parameters[2] = *step;
  } else {
    const int64_t* known = aggregation.parameters;
    bool matches = match_parameter(expr, Tag::D_LQUANT_MATCHBASE, "lquantize( ) base (argument #1)", known[0], *base) &&
                   match_parameter(expr, Tag::D_LQUANT_MATCHLIM, "lquantize( ) limit (argument #2)",
                                   known[0] + known[1] * known[2], *base + levels * *step) &&
                   match_parameter(expr, Tag::D_LQUANT_MATCHSTEP, "lquantize( ) step (argument #3)", known[2], *step);
    if (!matches) return;
  }
  check_increment(expr, form, "lquantize", 5);
}

void AggregationChecker::check_llquantize(const Expr& expr, const Call& form, Aggregation& aggregation, bool is_first) {
  static constexpr Tag type_tags[] = {Tag::D_LLQUANT_FACTORTYPE, Tag::D_LLQUANT_LMAGTYPE, Tag::D_LLQUANT_HMAGTYPE};
  static constexpr Tag match_tags[] = {Tag::D_LLQUANT_MATCHFACTOR, Tag::D_LLQUANT_MATCHLMAG, Tag::D_LLQUANT_MATCHHMAG,
                                       Tag::D_LLQUANT_MATCHSTEPS};
  static constexpr std::string_view names[] = {"factor", "lmag", "hmag", "steps"};
  uint64_t parameters[4] = {};
  for (size_t i = 0; i < 4; ++i) {
    auto number = constant_argument(form, i + 1);
    Position at = caret_at(expr, *form.arguments[i + 1]);
    if (i < 3 && !number) fail(type_tags[i], at, "llquantize( ) argument #{} must be an integer constant", i + 1);
    else if (i == 3 && (!number || *number <= 0))
      fail(Tag::D_LLQUANT_STEPTYPE, at, "llquantize( ) argument #4 must be a non-zero positive integer constant");
    if (failed()) return;
    parameters[i] = static_cast<uint64_t>(*number);
  }
  if (!check_llquantize_steps(expr, parameters)) return;
  for (size_t i = 0; i < 4; ++i) {
    auto found = static_cast<int64_t>(parameters[i]);
    if (is_first) aggregation.parameters[i] = found;
    std::string what = fmt::format("llquantize() {} (argument #{})", names[i], i + 1);
    if (!match_parameter(expr, match_tags[i], what, aggregation.parameters[i], found)) return;
  }
  check_increment(expr, form, "llquantize", 6);
}

namespace {

// base^exponent; nullopt if it overflows 64 bits. Exponents have at most 17 bits.
std::optional<uint64_t> power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (uint64_t i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  return result;
}

// The rule for `steps` that is broken; empty if all hold.
std::string_view broken_step_rule(uint64_t factor, uint64_t low, uint64_t steps) {
  if (steps < factor) return factor % steps != 0 ? "must evenly divide argument #1 (factor) when steps<factor" : "";
  if (steps == factor) return "";
  if (steps % factor != 0) return "must be a multiple of argument #1 (factor) when steps>factor";
  if (low == 0) {
    return factor * factor % steps != 0
               ? "must evenly divide the square of argument #1 (factor) when steps>factor and lmag==0"
               : "";
  }
  auto lowest_range = power(factor, low + 1);
  DS_CHECK(lowest_range.has_value());
  return *lowest_range % steps != 0
             ? "must evenly divide pow(argument #1 (factor), lmag (argument #2) + 1) when steps>factor and lmag>0"
             : "";
}

}  // namespace

bool AggregationChecker::check_llquantize_steps(const Expr& expr, const uint64_t (&parameters)[4]) {
  auto [factor, low, high, steps] = parameters;
  constexpr auto max_parameter = static_cast<uint64_t>(max_16bit);
  if (factor < 2 || factor > max_parameter) {
    fail(Tag::D_LLQUANT_FACTORVAL, expr.at,
         "llquantize( ) argument #1 must be an unsigned 16-bit quantity greater than or equal to 2");
  } else if (low > max_parameter) {
    fail(Tag::D_LLQUANT_LMAGVAL, expr.at, "llquantize( ) argument #2 must be an unsigned 16-bit quantity");
  } else if (high > max_parameter) {
    fail(Tag::D_LLQUANT_HMAGVAL, expr.at, "llquantize( ) argument #3 must be an unsigned 16-bit quantity");
  } else if (high < low) {
    fail(Tag::D_LLQUANT_HMAGVAL, expr.at,
         "llquantize( ) argument #3 (high magnitude) must be at least argument #2 (low magnitude)");
  } else if (!power(factor, high + 1)) {
    fail(Tag::D_LLQUANT_HMAGVAL, expr.at, "llquantize( ) argument #3 (high magnitude) will cause overflow of 64 bits");
  } else if (steps > max_parameter) {
    fail(Tag::D_LLQUANT_STEPVAL, expr.at, "llquantize( ) argument #4 must be an unsigned 16-bit quantity");
  } else if (std::string_view rule = broken_step_rule(factor, low, steps); !rule.empty()) {
    fail(Tag::D_LLQUANT_STEPVAL, expr.at, "llquantize() argument #4 (steps) {}", rule);
  }
  return !failed();
}

}  // namespace dscope
