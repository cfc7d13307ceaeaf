// Comparisons and logical operators. Results are i1. A NULL string equals only NULL and sorts below every other string.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Expressions;
class Operators;
class Strings;
class TaskContext;

class Conditions : Lowerer {
 public:
  Conditions(Lowering& core, TaskContext& task, Expressions& expressions, Operators& operators, Strings& strings)
      : Lowerer(core), task_(task), expressions_(expressions), operators_(operators), strings_(strings) {}

  V truth(const Binary& form);  // i1: the result of a comparison or logical operator

 private:
  V comparison(const Binary& form);  // i1, like the next two
  V compare_numbers(BinaryOp op, V lhs, V rhs, bool is_signed);
  V compare_strings(const Binary& form);
  V is_null_like(const StringValue& value);
  StringValue comparable_string(const Expr& expr);
  std::optional<V> compare_with_literal(const Expr& string, const Expr& literal, bool wants_equal);  // i1
  std::vector<const Expr*> terms_of(const Binary& form) const;
  V logical(const Binary& form);  // i1

  TaskContext& task_;
  Expressions& expressions_;
  Operators& operators_;
  Strings& strings_;
};

}  // namespace dscope
