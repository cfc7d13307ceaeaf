// The names that the clauses and declarations of a unit create.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "frontend/syntax/ast.h"

namespace dscope {

// Ordered without a conversion of string views.
using NameSet = std::set<std::string, std::less<>>;

// The left side of a plain assignment, or the operand of ++ and --: an operation that creates its target. Null for
// other expressions.
const Expr* created_target(const Expr& expr);

// Calls `visit` for every expression in the clauses of the unit.
void for_each_clause_expr(const Program& program, const ProgramUnit& unit,
                          const std::function<void(const Expr& expr)>& visit);

// The global variables and inlines that the unit declares, defines, or creates by assignment.
NameSet created_globals(const Program& program, const ProgramUnit& unit);

}  // namespace dscope
