#include "frontend/semantics/value_numbering.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "frontend/syntax/children.h"
#include "frontend/syntax/operators.h"
#include "support/check.h"
#include "support/format.h"

namespace dscope {

namespace {

// Null if the expression is not a call of a pure subroutine.
const SubroutineRow* pure_subroutine(const ExprInfo& meaning) {
  const auto* subroutine = std::get_if<Subroutine>(&meaning.binding);
  return subroutine != nullptr && row(*subroutine).effect == SubroutineEffect::Pure ? &row(*subroutine) : nullptr;
}

// Returns a key of a node without its children; equal nodes have equal keys. Empty for forms whose nodes are never
// equal.
std::string node_key(const Expr& expr, const ExprInfo& meaning) {
  return std::visit(Overloaded{
                        [](const Name& name) { return fmt::format("{} {}", static_cast<int>(name.scope), name.name); },
                        [](const SymbolRef& symbol) { return fmt::format("{}`{}", symbol.object, symbol.name); },
                        [](const Member& member) { return (member.is_arrow ? "->" : ".") + member.member; },
                        [](const Unary& unary) { return fmt::format("unary {}", static_cast<int>(unary.op)); },
                        [](const Binary& binary) { return fmt::format("binary {}", static_cast<int>(binary.op)); },
                        [](const Cast&) -> std::string { return "cast"; },
                        [](const Index&) -> std::string { return "index"; },
                        [](const Ternary&) -> std::string { return "?:"; },
                        [&](const Call&) -> std::string {
                          const SubroutineRow* subroutine = pure_subroutine(meaning);
                          return subroutine != nullptr ? fmt::format("call {}", subroutine->name) : "";
                        },
                        [](const auto&) -> std::string { return {}; },
                    },
                    expr.form);
}

// Calls visit(const Expr*) for each direct child whose value the node depends on: all but the name of a subroutine.
template <typename Visit>
void for_each_value(const Expr& expr, Visit visit) {
  if (const auto* call = std::get_if<Call>(&expr.form)) std::ranges::for_each(call->arguments, visit);
  else for_each_child(expr.form, visit);
}

}  // namespace

bool ValueNumbering::may_be_shared(const Expr& expr) {
  constexpr uint32_t min_shared = 4;
  const ExprInfo& meaning = info_(expr);
  bool is_inline = std::holds_alternative<InlineId>(meaning.binding);
  bool is_argument = std::holds_alternative<Name>(expr.form) && meaning.operand == nullptr;
  return (is_inline || is_argument) && shared_size(*meaning.stands_for) >= min_shared;
}

void ValueNumbering::clear_nodes() {
  shared_sizes_.clear();
  number_of_expr_.clear();
}

// Returns the number of nodes that codegen emits for a shareable expression; 0 if the expression is not shareable. A
// shareable expression has no side effects and reads no variable of the program.
uint32_t ValueNumbering::shared_size(const Expr& expr) {
  const ExprInfo& meaning = info_(expr);
  if (meaning.constant) return 1;
  if (auto known = shared_sizes_.find(&expr); known != shared_sizes_.end()) return known->second;
  uint32_t size = 1;
  auto add = [&](const Expr& part) {
    uint32_t more = shared_size(part);
    size = size == 0 || more == 0 ? 0 : std::min(size + more, 1000U);
  };
  const auto* variable = std::get_if<VariableId>(&meaning.binding);
  bool is_own_variable = variable != nullptr && !meaning_.variables[variable->index].name.starts_with("__");
  bool is_impure_call = std::holds_alternative<Call>(expr.form) && pure_subroutine(meaning) == nullptr;
  if (changed_operand(expr) != nullptr || is_impure_call || is_own_variable || meaning_.types->is_string(meaning.type))
    size = 0;
  else if (meaning.stands_for != nullptr) add(*meaning.stands_for);
  else for_each_value(expr, [&](const Expr* child) { add(*child); });
  return shared_sizes_[&expr] = size;
}

uint32_t ValueNumbering::number_of(const Expr& expr, const void* clause) {
  if (auto known = number_of_expr_.find(&expr); known != number_of_expr_.end()) return known->second;
  const ExprInfo& meaning = info_(expr);
  std::string text;
  if (meaning.constant) {
    text = fmt::format("= {}", *meaning.constant);
  } else if (meaning.stands_for != nullptr) {
    text = fmt::format("for {}", number_of(*meaning.stands_for, clause));
  } else if (text = node_key(expr, meaning); text.empty()) {
    text = fmt::format("{}", static_cast<const void*>(&expr));
  } else {
    for_each_value(expr, [&](const Expr* child) { text += fmt::format(" ({})", number_of(*child, clause)); });
  }
  text += fmt::format(" : {} {}", meaning.type.index, clause);
  auto number = static_cast<uint32_t>(numbers_.size());
  return number_of_expr_[&expr] = numbers_.try_emplace(std::move(text), number).first->second;
}

}  // namespace dscope
