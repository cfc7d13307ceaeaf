#include "frontend/semantics/walk.h"

#include "support/check.h"

namespace dscope {

namespace {

class Walker {
 public:
  Walker(const Semantics& meaning, const ClauseInstance& clause, const ExprVisitor& visit)
      : meaning_(meaning), clause_(clause), visit_(visit) {}

  void expr(const Expr& e) {
    const ExprInfo& info = meaning_.info(clause_, e);
    visit_(e);
    if (info.constant) return;
    if (info.stands_for != nullptr) return expr(*info.stands_for);
    if (info.translated != nullptr) {
      for (const TranslatedMember& member : info.translated->members) {
        if (member.condition != nullptr) expr(*member.condition);
        expr(*member.value);
      }
      return;
    }
    std::visit([&](const auto& form) { children(form); }, e.form);
  }

 private:
  void children(const IntLiteral&) {}
  void children(const StringLiteral&) {}
  void children(const Name&) {}
  void children(const SymbolRef&) {}
  void children(const AggregationRef&) {}
  void children(const SizeofExpr&) {}
  void children(const SizeofType&) {}
  void children(const Offsetof&) {}
  void children(const Index& form) {
    expr(*form.base);
    for (const Expr* argument : form.arguments) expr(*argument);
  }
  void children(const Call& form) {
    for (const Expr* argument : form.arguments) expr(*argument);
  }
  void children(const Member& form) { expr(*form.base); }
  void children(const Unary& form) { expr(*form.operand); }
  void children(const Stringof& form) { expr(*form.operand); }
  void children(const Cast& form) { expr(*form.operand); }
  void children(const Xlate& form) { expr(*form.operand); }
  void children(const Binary& form) {
    expr(*form.lhs);
    expr(*form.rhs);
  }
  void children(const Assign& form) {
    expr(*form.lhs);
    expr(*form.rhs);
  }
  void children(const Ternary& form) {
    const ExprInfo& condition = meaning_.info(clause_, *form.condition);
    if (condition.constant) return expr(*condition.constant != 0 ? *form.then_value : *form.else_value);
    expr(*form.condition);
    expr(*form.then_value);
    expr(*form.else_value);
  }
  void children(const Alternative&) {}  // its stands_for is set
  void children(const Comma& form) {
    expr(*form.lhs);
    expr(*form.rhs);
  }

  const Semantics& meaning_;
  const ClauseInstance& clause_;
  const ExprVisitor& visit_;
};

// Calls visit(body, is_conditional) for each branch of an if that can be taken.
template <typename Visit>
void for_each_branch(const Semantics& meaning, const ClauseInstance& clause, const IfStatement& form, Visit visit) {
  const auto& condition = meaning.info(clause, *form.condition).constant;
  if (!condition || *condition != 0) visit(form.then_body, !condition);
  if (!condition || *condition == 0) visit(form.else_body, !condition);
}

void walk_body(const Semantics& meaning, const ClauseInstance& clause, const std::vector<Statement*>& body,
               const ExprVisitor& visit) {
  for (const Statement* statement : body) {
    std::visit(Overloaded{[&](const ExprStatement& form) { walk_expr(meaning, clause, *form.expr, visit); },
                          [&](const IfStatement& form) {
                            walk_expr(meaning, clause, *form.condition, visit);
                            for_each_branch(meaning, clause, form, [&](const std::vector<Statement*>& branch, bool) {
                              walk_body(meaning, clause, branch, visit);
                            });
                          }},
               statement->form);
  }
}

using StatementVisitor = std::function<void(const Expr&, bool)>;

void walk_leaves(const Semantics& meaning, const ClauseInstance& clause, const Expr& statement, bool is_conditional,
                 const StatementVisitor& visit) {
  if (const auto* ternary = std::get_if<Ternary>(&statement.form)) {
    const ExprInfo& condition = meaning.info(clause, *ternary->condition);
    if (condition.constant) {
      const Expr* taken = *condition.constant != 0 ? ternary->then_value : ternary->else_value;
      return walk_leaves(meaning, clause, *taken, is_conditional, visit);
    }
    walk_leaves(meaning, clause, *ternary->then_value, true, visit);
    walk_leaves(meaning, clause, *ternary->else_value, true, visit);
    return;
  }
  if (const auto* comma = std::get_if<Comma>(&statement.form)) {
    walk_leaves(meaning, clause, *comma->lhs, is_conditional, visit);
    walk_leaves(meaning, clause, *comma->rhs, is_conditional, visit);
    return;
  }
  visit(statement, is_conditional);
}

void walk_nested(const Semantics& meaning, const ClauseInstance& clause, const std::vector<Statement*>& body,
                 bool is_conditional, const StatementVisitor& visit) {
  for (const Statement* statement : body) {
    std::visit(
        Overloaded{[&](const ExprStatement& form) { walk_leaves(meaning, clause, *form.expr, is_conditional, visit); },
                   [&](const IfStatement& form) {
                     for_each_branch(meaning, clause, form, [&](const std::vector<Statement*>& branch, bool is_open) {
                       walk_nested(meaning, clause, branch, is_conditional || is_open, visit);
                     });
                   }},
        statement->form);
  }
}

}  // namespace

void walk_expr(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr, const ExprVisitor& visit) {
  Walker(meaning, clause, visit).expr(expr);
}

void walk_program(const Semantics& meaning, const std::function<void(const Expr&, const ClauseInstance&)>& visit) {
  auto walk = [&](const ClauseInstance& clause) {
    walk_clause(meaning, clause, [&](const Expr& expr) { visit(expr, clause); });
  };
  for (const ClauseInstance& clause : meaning.clauses) walk(clause);
  for (const DerivedProbe& derived : meaning.derived_probes) walk(derived.instance);
}

void walk_clause(const Semantics& meaning, const ClauseInstance& clause, const ExprVisitor& visit) {
  if (clause.never_runs) return;
  if (clause.clause->predicate != nullptr) walk_expr(meaning, clause, *clause.clause->predicate, visit);
  walk_body(meaning, clause, clause.clause->body, visit);
}

void walk_statements(const Semantics& meaning, const ClauseInstance& clause, const StatementVisitor& visit) {
  if (!clause.never_runs) walk_nested(meaning, clause, clause.clause->body, false, visit);
}

const Call* action_call(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr) {
  const auto* call = std::get_if<Call>(&expr.form);
  if (call == nullptr) return nullptr;
  return std::holds_alternative<Action>(meaning.info(clause, expr).binding) ? call : nullptr;
}

std::optional<AggregatingStatement> aggregating_statement(const Semantics& meaning, const ClauseInstance& clause,
                                                          const Expr& expr) {
  const auto* assign = std::get_if<Assign>(&expr.form);
  if (assign == nullptr || assign->op) return std::nullopt;
  AggregatingStatement statement{.assign = assign};
  const Expr* target = assign->lhs;
  if (const auto* index = std::get_if<Index>(&target->form)) {
    statement.keys = index->arguments;
    target = index->base;
  }
  if (!std::holds_alternative<AggregationRef>(target->form)) return std::nullopt;
  const ExprInfo& info = meaning.info(clause, *target);
  const auto* id = std::get_if<AggregationId>(&info.binding);
  statement.call = std::get_if<Call>(&assign->rhs->form);
  DS_CHECK(id != nullptr && statement.call != nullptr);
  statement.aggregation = *id;
  return statement;
}

}  // namespace dscope
