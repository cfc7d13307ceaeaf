// FormatChecker: the conversions of printf and printa formats against the arguments (consumer-and-actions.md 4.2, 4.5).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/actions/format_string.h"
#include "frontend/check/check_context.h"

namespace dscope {

class TypeErrors;

struct FormatArgument {
  const Expr* expr = nullptr;  // position of errors
  TypeId type;
  bool is_user_text = false;           // a char pointer into the memory of the process: %s copies the string
  std::optional<NumberGroup> numbers;  // the names that %s prints
};

struct FormatCall {
  const Expr* expr = nullptr;
  std::string_view name;
  std::vector<FormatArgument> arguments;
  std::optional<TypeId> aggregation_value;     // printa
  std::vector<AggregationFunction> functions;  // of the aggregations of printa
  bool is_exact = true;                        // all arguments must be used
  size_t values = 0;                           // conversions %@ so far
};

class FormatChecker : private CheckerPart {
 public:
  FormatChecker(CheckContext& context, TargetProcess target, TypeErrors& type_errors)
      : CheckerPart(context), target_(target), type_errors_(type_errors) {}

  void check_stack(const Expr& expr, const Call& form, Action action);
  void check_printf(const Expr& expr, const Call& form, Action action);
  void check(FormatCall call, const StringLiteral& text);

 private:
  void check_stack_count(const Expr& expr, const Call& form, Tag tag, size_t argument, std::string_view what,
                         bool may_be_zero);
  bool accepts(const FormatConversion& conversion, TypeId type) const;
  bool prints_name(const FormatCall& call, const FormatConversion& conversion, size_t argument) const;
  bool check_conversion(FormatCall& call, FormatConversion& conversion, size_t number, size_t& next);
  bool check_aggregation_value(FormatCall& call, const FormatConversion& conversion);
  std::string conversion_hint(FormatAccepts accepts, TypeId type) const;
  bool check_dynamic(const FormatCall& call, const FormatConversion& conversion, size_t number, bool is_precision,
                     size_t& next, int32_t& field);
  void keep_format(const Expr& expr, const ParsedFormat& format);

  const TargetProcess target_;  // with a target, %A takes any address
  TypeErrors& type_errors_;
};

}  // namespace dscope
