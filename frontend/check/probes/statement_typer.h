// StatementTyper: types of predicates and statements.
#pragma once

#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

class AggregationTyper;
class CallTyper;
class ExpressionTyper;
class NameTable;
class TranslatedObjects;

class StatementTyper : private CheckerPart {
 public:
  StatementTyper(CheckContext& context, AggregationTyper& aggregations, ExpressionTyper& expressions, NameTable& names,
                 TranslatedObjects& translated_objects, CallTyper& calls)
      : CheckerPart(context),
        aggregations_(aggregations),
        expressions_(expressions),
        names_(names),
        translated_objects_(translated_objects),
        calls_(calls) {}

  void type_predicate(const Clause& clause, const Position& end);
  void type(const std::vector<Statement*>& body);

 private:
  void type_statement(const Statement& statement);
  ExprInfo type_statement_expr(const Expr& expr);
  ExprInfo type_statement_ternary(const Expr& expr, const Ternary& ternary);
  ExprInfo type_branch(const Expr& expr);
  bool has_bare_action(const Expr& comma) const;
  bool has_effect(const Expr& expr) const;
  bool is_action_call(const Expr& expr) const;

  AggregationTyper& aggregations_;
  ExpressionTyper& expressions_;
  NameTable& names_;
  TranslatedObjects& translated_objects_;
  CallTyper& calls_;
};

}  // namespace dscope
