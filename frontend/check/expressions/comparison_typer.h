// ComparisonTyper: comparison and logical operators (d-language.md 4.6).
#pragma once

#include <optional>

#include "frontend/check/check_context.h"

namespace dscope {

class ExpressionTyper;
class NameTable;
class TypeErrors;
class TypeFinder;

class ComparisonTyper : private CheckerPart {
 public:
  ComparisonTyper(CheckContext& context, ExpressionTyper& expressions, NameTable& names, TypeErrors& type_errors,
                  TypeFinder& type_finder)
      : CheckerPart(context),
        expressions_(expressions),
        names_(names),
        type_errors_(type_errors),
        type_finder_(type_finder) {}

  ExprInfo check_right_operand(const Binary& form, const ExprInfo& left);
  ExprInfo check_comparison(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);
  ExprInfo check_logical(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);

 private:
  std::optional<ExprInfo> enumerator_operand(const Expr& operand, const ExprInfo& left);

  ExpressionTyper& expressions_;
  NameTable& names_;
  TypeErrors& type_errors_;
  TypeFinder& type_finder_;
};

}  // namespace dscope
