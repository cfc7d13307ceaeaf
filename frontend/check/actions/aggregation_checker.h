// AggregationChecker: arguments of aggregating functions, and the parameters of lquantize and llquantize
// (consumer-and-actions.md 5.1, 5.3). Messages about lquantize and llquantize count arguments without the aggregated
// value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "frontend/check/check_context.h"

namespace dscope {

class NameTable;

class AggregationChecker : private CheckerPart {
 public:
  AggregationChecker(CheckContext& context, NameTable& names) : CheckerPart(context), names_(names) {}

  // `form`: an assignment to an aggregation.
  void check(const Assign& form);

 private:
  void check_increment(const Expr& expr, const Call& form, std::string_view name, size_t position);
  bool match_parameter(const Expr& expr, Tag tag, std::string_view what, int64_t expected, int64_t found);
  void check_lquantize(const Expr& expr, const Call& form, Aggregation& aggregation, bool is_first);
  std::optional<PercentileNumber> percentile_argument(const Expr& expr, const Call& form, size_t index);
  void check_percentile(const Expr& expr, const Call& form, Aggregation& aggregation, bool is_first);
  void check_llquantize(const Expr& expr, const Call& form, Aggregation& aggregation, bool is_first);
  bool check_llquantize_steps(const Expr& expr, const uint64_t (&parameters)[4]);

  NameTable& names_;

  std::unordered_set<std::string> with_parameters_;  // aggregations whose parameters an earlier statement fixed
};

}  // namespace dscope
