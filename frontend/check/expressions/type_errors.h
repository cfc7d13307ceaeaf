// TypeErrors: the errors about operand and argument types that several rules report.
#pragma once

#include <string>
#include <string_view>

#include "frontend/check/check_context.h"

namespace dscope {

class TypeErrors : private CheckerPart {
 public:
  explicit TypeErrors(CheckContext& context) : CheckerPart(context) {}

  ExprInfo report_operand(Tag tag, const Expr& expr, std::string_view op, std::string_view wanted, const ExprInfo& left,
                          const ExprInfo* right = nullptr);
  ExprInfo report_incompatible(const Expr& expr, std::string_view op, const ExprInfo& left, const ExprInfo& right);
  void report_argument(const Expr& expr, const Expr& argument, Tag tag, std::string_view name, size_t number,
                       std::string_view wanted, std::string_view found);

 private:
  std::string incompatibility_hint(std::string_view op, const ExprInfo& left, const ExprInfo& right) const;
};

}  // namespace dscope
