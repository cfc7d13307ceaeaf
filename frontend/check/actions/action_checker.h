// ActionChecker: the rules of actions for their arguments beyond the prototype (consumer-and-actions.md 3). Runs after
// the whole clause is typed.
#pragma once

#include <string_view>

#include "frontend/check/check_context.h"

namespace dscope {

class FormatChecker;
class NameTable;
class PendingMistakes;
class TypeErrors;
class TypeFinder;

class ActionChecker : private CheckerPart {
 public:
  ActionChecker(CheckContext& context, FormatChecker& formats, PendingMistakes& pending, TypeErrors& type_errors,
                TypeFinder& type_finder, NameTable& names)
      : CheckerPart(context),
        formats_(formats),
        pending_(pending),
        type_errors_(type_errors),
        type_finder_(type_finder),
        names_(names) {}

  void check(const Expr& expr, const Call& form, Action action);

 private:
  // The aggregation that an argument names.
  const Aggregation& aggregation_of(const Expr& argument) const;
  void check_trace(const Expr& expr, const Call& form);
  void check_tracemem(const Expr& expr, const Call& form);
  bool is_plain_constant(const Expr& expr) const;
  void check_print(const Expr& expr, const Call& form);
  bool check_aggregation_argument(const Expr& expr, const Call& form, std::string_view name, size_t argument, Tag kind);
  void check_normalize(const Expr& expr, const Call& form);
  void check_printa(const Expr& expr, const Call& form);
  void check_matching_keys(const Expr& expr, const Expr& first, const Expr& other);

  FormatChecker& formats_;
  PendingMistakes& pending_;
  TypeErrors& type_errors_;
  TypeFinder& type_finder_;
  NameTable& names_;
};

}  // namespace dscope
