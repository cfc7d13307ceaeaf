// AggregationTyper: @name[keys] = function(arguments) (d-language.md 6).
#pragma once

#include <optional>

#include "frontend/check/check_context.h"

namespace dscope {

class CallTyper;
class ExpressionTyper;
class FormatChecker;
class NameTable;
class PendingMistakes;

// The aggregation in `@a` or `@a[k]`; null if `target` is something else.
const AggregationRef* aggregation_target(const Expr& target);

class AggregationTyper : private CheckerPart {
 public:
  AggregationTyper(CheckContext& context, CallTyper& calls, ExpressionTyper& expressions, FormatChecker& formats,
                   PendingMistakes& pending, NameTable& names)
      : CheckerPart(context),
        calls_(calls),
        expressions_(expressions),
        formats_(formats),
        pending_(pending),
        names_(names) {}

  ExprInfo type(const Expr& expr, const Assign& form, const AggregationRef& reference);
  ExprInfo check_element(const Expr& expr, const Index& form);

 private:
  bool type_keys(const Expr& target, Aggregation& aggregation, bool is_new);
  std::optional<AggregationKey> check_key(const Expr& key, size_t number);
  bool check_keys(const Expr& target, const Index& form, Aggregation& aggregation);

  CallTyper& calls_;
  ExpressionTyper& expressions_;
  FormatChecker& formats_;
  PendingMistakes& pending_;
  NameTable& names_;
};

}  // namespace dscope
