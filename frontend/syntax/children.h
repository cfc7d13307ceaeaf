// The direct child expressions of a node, for passes that treat all forms alike.
#pragma once

#include <algorithm>

#include "frontend/syntax/ast_expressions.h"
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

// Calls visit(Expr*&) for each direct child of `expr`, in source order.
template <typename Visit>
void for_each_child(Expr& expr, Visit visit) {
  auto visit_all = [&](std::vector<Expr*>& list) {
    for (Expr*& each : list) visit(each);
  };
  std::visit(Overloaded{[&](Index& form) {
                          visit(form.base);
                          visit_all(form.arguments);
                        },
                        [&](Call& form) {
                          visit(form.callee);
                          visit_all(form.arguments);
                        },
                        [&](Member& form) { visit(form.base); },
                        [&](Unary& form) { visit(form.operand); },
                        [&](SizeofExpr& form) { visit(form.operand); },
                        [&](Stringof& form) { visit(form.operand); },
                        [&](Cast& form) { visit(form.operand); },
                        [&](Xlate& form) { visit(form.operand); },
                        [&](Binary& form) {
                          visit(form.lhs);
                          visit(form.rhs);
                        },
                        [&](Assign& form) {
                          visit(form.lhs);
                          visit(form.rhs);
                        },
                        [&](Ternary& form) {
                          visit(form.condition);
                          visit(form.then_value);
                          visit(form.else_value);
                        },
                        [&](Alternative& form) {
                          visit(form.first);
                          visit(form.second);
                        },
                        [&](Comma& form) {
                          visit(form.lhs);
                          visit(form.rhs);
                        },
                        [](IntLiteral&) {},
                        [](StringLiteral&) {},
                        [](Name&) {},
                        [](SymbolRef&) {},
                        [](AggregationRef&) {},
                        [](SizeofType&) {},
                        [](Offsetof&) {}},
             expr.form);
}

}  // namespace dscope
