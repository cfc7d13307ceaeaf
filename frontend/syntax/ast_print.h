// The printer of the tree. print_source() returns D text that parses to the same tree (round trip). dump_tree() returns
// an indented tree with node kinds and values, for --dump=ast and goldens.
#pragma once

#include <string>

#include "frontend/syntax/ast.h"

namespace dscope {

std::string print_source(const Program& program);
std::string print_unit(const ProgramUnit& unit);
std::string print_clause(const Clause& clause);
std::string print_expr(const Expr& expr);
std::string dump_tree(const Program& program);

}  // namespace dscope
