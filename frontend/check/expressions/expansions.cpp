#include "frontend/check/expressions/expansions.h"

#include <unordered_set>

#include <algorithm>
#include <utility>

#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/name_table.h"
#include "frontend/semantics/complexity.h"
#include "frontend/semantics/value_numbering.h"
#include "frontend/syntax/children.h"

namespace dscope {

namespace {

constexpr uint32_t deepest_expansion = 500;
// Nodes that are emitted for one use. Each mention of a parameter evaluates its argument again, so a few lines can grow
// without limit.
constexpr uint64_t largest_expansion = 20'000;
// Nodes that the checker makes for one use, even if most of them are emitted only once.
constexpr uint64_t largest_written_out = 80'000;
// Nodes for all uses of a program: those that the checker makes, and those that are emitted if no value is shared.
constexpr uint64_t largest_program = 1'000'000;

// Counts the nodes that are emitted for an expression. Equal values are computed once, but a value computed in a branch
// is not available after the branch.
class EmittedNodes {
 public:
  EmittedNodes(const Semantics& meaning, ValueNumbering::InfoOf info)
      : info_(info), value_numbers_(meaning, std::move(info)) {}

  // Stops counting above largest_expansion.
  uint64_t count(const Expr& expr) {
    visit(expr);
    return nodes_;
  }

 private:
  void visit(const Expr& expr) {
    const ExprInfo& self = info_(expr);
    if (++nodes_ > largest_expansion || self.constant) return;
    if (self.stands_for == nullptr) return visit_children(expr);
    if (self.operand != nullptr) {
      if (known_.contains(pointer_key(*self.operand))) return visit(*self.stands_for);
      visit(*self.operand);
      remember(pointer_key(*self.operand));
      return visit(*self.stands_for);
    }
    if (!value_numbers_.may_be_shared(expr)) return visit(*self.stands_for);
    uint64_t key = value_numbers_.number_of(expr, nullptr);
    if (known_.contains(key)) return;
    visit(*self.stands_for);
    remember(key);
  }

  void visit_children(const Expr& expr) {
    if (known_.contains(pointer_key(expr))) return;
    if (const auto* choice = std::get_if<Ternary>(&expr.form)) {
      visit(*choice->condition);
      visit_branch(*choice->then_value);
      visit_branch(*choice->else_value);
    } else if (const auto* binary = std::get_if<Binary>(&expr.form);
               binary != nullptr && is_boolean_operator(binary->op)) {
      visit(*binary->lhs);
      visit_branch(*binary->rhs);
    } else {
      for_each_child(expr.form, [&](const Expr* child) { visit(*child); });
    }
  }

  void visit_branch(const Expr& expr) {
    size_t before = order_.size();
    visit(expr);
    while (order_.size() > before) {
      known_.erase(order_.back());
      order_.pop_back();
    }
  }

  // Value numbers are below 2^32, addresses above.
  static uint64_t pointer_key(const Expr& expr) { return reinterpret_cast<uint64_t>(&expr) | 1ULL << 63; }
  void remember(uint64_t key) {
    if (known_.insert(key).second) order_.push_back(key);
  }

  ValueNumbering::InfoOf info_;
  ValueNumbering value_numbers_;
  std::unordered_set<uint64_t> known_;
  std::vector<uint64_t> order_;
  uint64_t nodes_ = 0;
};

}  // namespace

Expr* Expansions::copy(const Expr& original) {
  Expr& node = semantics_.expansions.emplace_back(original);
  node.id = NodeId{context_.program.node_count + static_cast<uint32_t>(semantics_.expansions.size()) - 1};
  for_each_child(node, [&](Expr*& child) { child = copy(*child); });
  return &node;
}

Expr* Expansions::make(const Position& at, decltype(Expr::form) form) {
  Expr& expr = semantics_.expansions.emplace_back();
  expr.id = NodeId{context_.program.node_count + static_cast<uint32_t>(semantics_.expansions.size()) - 1};
  expr.at = at;
  expr.form = std::move(form);
  return &expr;
}

// Returns a copy of `definition`, typed with these parameters; null after an error.
const Expr* Expansions::expand(const Expr& definition, const Parameters& parameters, const Expr& use) {
  if (depth_ >= deepest_expansion) {
    fail(Tag::D_UNKNOWN, position_of_use(use), "definitions use each other too deeply, or one uses itself");
    return nullptr;
  }
  if (depth_ == 0) outermost_use_ = &use;
  ++depth_;
  const Expr* expansion = copy(definition);
  const Parameters* before = names_.exchange_parameters(&parameters);
  expressions_.check(*expansion);
  names_.exchange_parameters(before);
  --depth_;
  return !failed() && check_extent(*expansion, use) ? expansion : nullptr;
}

// The position of errors that no single definition causes: the use in the program, which its author can change.
const Position& Expansions::position_of_use(const Expr& use) const {
  return depth_ > 0 && outermost_use_ != nullptr ? outermost_use_->at : use.at;
}

// Whether the definition is small enough for one use; reports an error if not.
bool Expansions::check_extent(const Expr& definition, const Expr& use) {
  ExpressionExtent extent = extent_of(definition);
  if (depth_ == 0) written_out_ += extent.size;
  if (semantics_.expansions.size() > largest_program || written_out_ > largest_program) {
    fail(Tag::D_UNKNOWN, position_of_use(use), "program is too large after expanding its inlines and translators");
    return false;
  }
  if (extent.size > largest_expansion &&
      (extent.size > largest_written_out || count_emitted_nodes(definition) > largest_expansion))
    fail(Tag::D_UNKNOWN, position_of_use(use), "expression is too large after expanding its inlines and translators");
  // Every phase walks chains of inlines recursively.
  else if (extent.height > 2 * context_.program.max_levels)
    fail(Tag::D_UNKNOWN, position_of_use(use),
         "expression is nested too deeply after expanding its inlines and translators");
  return !failed();
}

uint64_t Expansions::count_emitted_nodes(const Expr& expr) const {
  static const ExprInfo nothing;
  auto known = [&](const Expr& each) -> const ExprInfo& {
    const ExprInfo* found = find_info(each);
    return found != nullptr ? *found : nothing;
  };
  return EmittedNodes(semantics_, known).count(expr);
}

// The extent of an expression if no value is shared.
ExpressionExtent Expansions::extent_of(const Expr& expr) {
  const ExprInfo self = info(expr);
  if (self.constant) return {};
  if (self.stands_for != nullptr) {
    if (auto known = extents_.find(self.stands_for); known != extents_.end()) return known->second;
    return extents_[self.stands_for] = extent_of(*self.stands_for);
  }
  ExpressionExtent extent;
  // The visitor takes mutable nodes for copy(); nothing is changed here.
  for_each_child(const_cast<Expr&>(expr), [&](Expr*& child) {
    ExpressionExtent part = extent_of(*child);
    extent.size += part.size;
    extent.height = std::max(extent.height, part.height + 1);
  });
  return extent;
}

// Counts how often `operand` is emitted for an expression.
uint64_t Expansions::count_uses(const Expr& operand, const Expr& expr) const {
  if (&expr == &operand) return 1;
  const ExprInfo self = info(expr);
  if (self.constant) return 0;
  if (self.stands_for != nullptr) return count_uses(operand, *self.stands_for);
  uint64_t uses = 0;
  for_each_child(const_cast<Expr&>(expr), [&](Expr*& child) { uses += count_uses(operand, *child); });
  return uses;
}

// The ExprInfo of a node of type `type` for which `value` is emitted.
ExprInfo Expansions::replacement_info(const Expr& value, TypeId type) {
  ExprInfo found = info(value);
  if (found.translated != nullptr) return found;
  ExprInfo result{.type = type, .space = found.space, .stands_for = &value};
  if (types_.is_integer(type)) {
    if (found.constant) result.constant = narrow(types_, type, *found.constant);
    result.bit_size = found.bit_size;
  } else if (types_.is_string(type)) {
    result.space = Space::Storage;
  } else if (!types_.is_pointer(type)) {
    result.is_lvalue = found.is_lvalue;
  } else if (types_.resolved(type).is_userland) {
    result.space = Space::User;
  } else if (!is_same_type(types_, type, found.type)) {
    result.space = untrusted(found.space);
  }
  return result;
}

}  // namespace dscope
