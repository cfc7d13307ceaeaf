// The direct child expressions of a node, for passes that treat all forms alike.
#pragma once

#include <algorithm>

#include "frontend/syntax/ast.h"
#include "support/check.h"

namespace dscope {

// Calls visit(child) for each direct child of a node.
template <typename Visit>
void for_each_child(const decltype(Expr::form)& form, Visit visit) {
  std::visit(Overloaded{
                 [](const IntLiteral&) {},
                 [](const StringLiteral&) {},
                 [](const Name&) {},
                 [](const SymbolRef&) {},
                 [](const AggregationRef&) {},
                 [](const SizeofType&) {},
                 [](const Offsetof&) {},
                 [&](const Index& index) {
                   visit(index.base), std::for_each(index.arguments.begin(), index.arguments.end(), visit);
                 },
                 [&](const Call& call) {
                   visit(call.callee), std::for_each(call.arguments.begin(), call.arguments.end(), visit);
                 },
                 [&](const Member& member) { visit(member.base); },
                 [&](const Unary& unary) { visit(unary.operand); },
                 [&](const SizeofExpr& size) { visit(size.operand); },
                 [&](const Stringof& stringof) { visit(stringof.operand); },
                 [&](const Cast& cast) { visit(cast.operand); },
                 [&](const Xlate& xlate) { visit(xlate.operand); },
                 [&](const Binary& binary) { visit(binary.lhs), visit(binary.rhs); },
                 [&](const Assign& assign) { visit(assign.lhs), visit(assign.rhs); },
                 [&](const Ternary& ternary) {
                   visit(ternary.condition), visit(ternary.then_value), visit(ternary.else_value);
                 },
                 [&](const Alternative& either) { visit(either.first), visit(either.second); },
                 [&](const Comma& comma) { visit(comma.lhs), visit(comma.rhs); },
             },
             form);
}

}  // namespace dscope
