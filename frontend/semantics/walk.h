// Visits expressions and statements of a checked clause in source order. Constant sub-trees and the values of inlines
// are dealt with once here, so that every pass sees exactly what will be emitted.
#pragma once

#include <functional>

#include "frontend/semantics/semantics.h"

namespace dscope {

using ExprVisitor = std::function<void(const Expr&)>;

// Calls `visit` for `expr` and everything below it that is emitted: nothing below constants, callee names or sizeof
// operands. Where a node stands for another expression, as the use of an inline does, that one is entered instead.
void walk_expr(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr, const ExprVisitor& visit);

// walk_expr over predicate, conditions and statements; nothing of a clause that never runs, nor of a branch that is
// never taken.
void walk_clause(const Semantics& meaning, const ClauseInstance& clause, const ExprVisitor& visit);

// Calls `visit(expr, instance)` for all that walk_clause() finds in the clauses of the program and in what the probes
// are derived by: all that will be emitted.
void walk_program(const Semantics& meaning, const std::function<void(const Expr&, const ClauseInstance&)>& visit);

// Calls `visit(expr, is_conditional)` for each statement that can be reached, in source order; is_conditional: it may
// not be. Branches of a statement-level ternary or comma are statements themselves (`OPT ? printf(...) : 1;`).
void walk_statements(const Semantics& meaning, const ClauseInstance& clause,
                     const std::function<void(const Expr&, bool)>& visit);

// The call of a statement that is an action, looking through parentheses; null if it is something else.
const Call* action_call(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr);

// `@a[keys] = f(args)`: the aggregating statement's parts; valid only if aggregation is set.
struct AggregatingStatement {
  const Assign* assign = nullptr;
  AggregationId aggregation;
  std::vector<Expr*> keys;
  const Call* call = nullptr;
};
std::optional<AggregatingStatement> aggregating_statement(const Semantics& meaning, const ClauseInstance& clause,
                                                          const Expr& expr);

}  // namespace dscope
