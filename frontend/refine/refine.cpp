#include "frontend/refine/refine.h"

#include <algorithm>

#include "frontend/syntax/ast_print.h"

namespace dscope {

namespace {

class Refiner {
 public:
  Refiner(Program& program, const Refinement& refinement) : program_(program), refinement_(refinement) {}

  void refine(ProgramUnit& unit) {
    std::vector<External> kept;
    for (External& external : unit.externals) {
      auto* clause = std::get_if<Clause>(&external.form);
      if (clause == nullptr || refine(*clause)) kept.push_back(std::move(external));
    }
    unit.externals = std::move(kept);
  }

  bool has_refined() const { return has_refined_; }
  bool has_keys_left() const { return has_keys_left_; }

 private:
  // False if the clause has lost all its statements: without any, it would print a row.
  bool refine(Clause& clause) {
    clause_ = &clause;
    if (clause.body.empty()) return true;
    if (remove_printed(clause.body)) return false;
    if (clause.body.size() > 1) {
      refine(clause.body);
    } else if (Expr* condition = refine(*clause.body.front())) {
      clause.predicate = clause.predicate == nullptr ? condition : join(parenthesized(clause.predicate), condition);
    }
    return true;
  }

  // Makes the statements of the aggregation conditional.
  void refine(std::vector<Statement*>& body) {
    for (Statement*& statement : body) {
      if (auto* branch = std::get_if<IfStatement>(&statement->form)) {
        refine(branch->then_body);
        refine(branch->else_body);
      } else if (Expr* condition = refine(*statement)) {
        Statement* changed = statement;
        statement = &program_.statements.emplace_back();
        statement->form = IfStatement{.condition = condition, .then_body = {changed}, .else_body = {}};
      }
    }
  }

  // Replaces the keys. Returns the condition; null if this is no statement of the aggregation. A condition that is
  // always true is the number 1.
  Expr* refine(Statement& statement) {
    auto* form = std::get_if<ExprStatement>(&statement.form);
    auto* assign = form != nullptr ? std::get_if<Assign>(&form->expr->form) : nullptr;
    if (assign == nullptr || !is_refined(*assign->lhs)) return nullptr;
    std::vector<Expr*> keys;
    if (auto* index = std::get_if<Index>(&assign->lhs->form)) keys = index->arguments;
    std::vector<std::string> texts;
    for (const Expr* key : keys) texts.push_back(print_expr(*key));
    has_refined_ = true;
    std::optional<std::string> next = next_key(*clause_, texts, refinement_.sources);
    if (!next) return nullptr;
    has_keys_left_ = true;
    Expr* condition = condition_of(keys);
    Expr* base =
        std::holds_alternative<Index>(assign->lhs->form) ? std::get<Index>(assign->lhs->form).base : assign->lhs;
    assign->lhs = make(Index{.base = base, .arguments = {verbatim(*next)}});
    return condition;
  }

  bool is_refined(const Expr& aggregation) const {
    const Expr* base = &aggregation;
    if (const auto* index = std::get_if<Index>(&base->form)) base = index->base;
    const auto* reference = std::get_if<AggregationRef>(&base->form);
    return reference != nullptr && reference->name == refinement_.aggregation;
  }

  Expr* condition_of(const std::vector<Expr*>& keys) {
    Expr* all = nullptr;
    for (size_t i = 0; i < keys.size() && i < refinement_.keys.size(); ++i) {
      const KeyCondition& wanted = refinement_.keys[i];
      Expr* value = wanted.text ? make(StringLiteral{.bytes = *wanted.text}) : nullptr;
      if (wanted.number) value = verbatim(*wanted.number);
      if (value == nullptr) continue;
      Expr* equal = make(Binary{.op = BinaryOp::Equal, .lhs = operand(keys[i]), .rhs = value});
      all = all == nullptr ? equal : join(all, equal);
    }
    return all == nullptr ? verbatim("1") : all;
  }

  // Drops printa() of the aggregation. True if no statement is left.
  bool remove_printed(std::vector<Statement*>& body) const {
    std::erase_if(body, [&](const Statement* statement) {
      const auto* form = std::get_if<ExprStatement>(&statement->form);
      const auto* call = form != nullptr ? std::get_if<Call>(&form->expr->form) : nullptr;
      const auto* callee = call != nullptr ? std::get_if<Name>(&call->callee->form) : nullptr;
      return callee != nullptr && callee->name == "printa" &&
             std::ranges::any_of(call->arguments, [&](const Expr* argument) { return is_refined(*argument); });
    });
    return body.empty();
  }

  template <typename Form>
  Expr* make(Form form) {
    Expr& expr = program_.exprs.emplace_back();
    expr.form = std::move(form);
    return &expr;
  }
  // The printer prints names as they are.
  Expr* verbatim(std::string text) { return make(Name{.name = std::move(text)}); }
  Expr* join(Expr* a, Expr* b) { return make(Binary{.op = BinaryOp::LogicalAnd, .lhs = a, .rhs = b}); }

  Expr* parenthesized(Expr* expr) {
    Expr* copy = make(expr->form);
    copy->is_parenthesized = true;
    return copy;
  }
  // The key as an operand of ==.
  Expr* operand(Expr* key) {
    bool is_simple = std::holds_alternative<Name>(key->form) || std::holds_alternative<Call>(key->form) ||
                     std::holds_alternative<Index>(key->form) || std::holds_alternative<Member>(key->form);
    return is_simple ? key : parenthesized(key);
  }

  Program& program_;
  const Refinement& refinement_;
  const Clause* clause_ = nullptr;
  bool has_refined_ = false, has_keys_left_ = false;
};

}  // namespace

Result<> refine(Program& program, std::span<ProgramUnit*> units, const Refinement& refinement) {
  Refiner refiner(program, refinement);
  for (ProgramUnit* unit : units) refiner.refine(*unit);
  if (!refiner.has_refined()) return fail(Error::make("the program has no aggregation @{}", refinement.aggregation));
  if (!refiner.has_keys_left() && !refinement.sources.has_descriptors)
    return fail(Error::make("the recording has no further key for @{}", refinement.aggregation));
  if (!refiner.has_keys_left())
    return fail(Error::make("@{} has been looked at by program, function, stack and file", refinement.aggregation));
  return {};
}

}  // namespace dscope
