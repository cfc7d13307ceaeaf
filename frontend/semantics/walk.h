// Visits expressions and statements of a checked clause in source order. Only this file handles constant subtrees and
// the values of inlines, so that every pass sees exactly the expressions that codegen emits.
#pragma once

#include <functional>

#include "frontend/semantics/semantics.h"

namespace dscope {

using ExprVisitor = std::function<void(const Expr&)>;

// Calls `visit` for `expr` and every emitted expression below it. Skips the children of constants, callee names and
// sizeof operands. Where a node stands for another expression, as the use of an inline does, it enters that expression
// instead.
void walk_expr(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr, const ExprVisitor& visit);

// Calls walk_expr() for predicate, conditions and statements. Skips clauses that never run and branches that are never
// taken.
void walk_clause(const Semantics& meaning, const ClauseInstance& clause, const ExprVisitor& visit);

// Calls `visit(expr, instance)` for every emitted expression: walk_clause() over the clauses of the program and over
// the derivations of its derived probes.
void walk_program(const Semantics& meaning, const std::function<void(const Expr&, const ClauseInstance&)>& visit);

// Calls `visit(expr, is_conditional)` for each reachable statement, in source order. is_conditional: an if or ternary
// may skip the statement. The branches of a statement-level ternary or comma count as statements
// (`OPT ? printf(...) : 1;`).
void walk_statements(const Semantics& meaning, const ClauseInstance& clause,
                     const std::function<void(const Expr&, bool)>& visit);

// Returns the call if the statement `expr` is an action; otherwise null.
const Call* action_call(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr);

// The parts of an aggregating statement: `@a[keys] = f(args)`.
struct AggregatingStatement {
  const Assign* assign = nullptr;
  AggregationId aggregation;
  std::vector<Expr*> keys;
  const Call* call = nullptr;
};
std::optional<AggregatingStatement> aggregating_statement(const Semantics& meaning, const ClauseInstance& clause,
                                                          const Expr& expr);

}  // namespace dscope
