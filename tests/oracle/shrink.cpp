// Shrinks whole programs, clauses, statements, then expressions, as long as the failure remains the same.
#include <functional>

#include "runner.h"

namespace dscope::oracle {

namespace {

using Programs = std::vector<Program>;

class Shrinker {
 public:
  Shrinker(Programs programs, const Setting& setting, const Verdict& failure, int runs)
      : programs_(std::move(programs)), setting_(setting), failure_(failure), runs_(runs) {}

  Programs run() {
    while (runs_ > 0 &&
           (leave_out_programs() || leave_out_clauses() || leave_out_statements() || replace_expressions())) {
    }
    return programs_;
  }

 private:
  bool is_better(const Programs& candidate) {
    if (runs_-- <= 0) return false;
    for (const Program& program : candidate)
      if (!predict(program)) return false;
    Verdict verdict = judge(candidate, setting_);
    if (verdict.kind != failure_.kind || verdict.reason != failure_.reason) return false;
    programs_ = candidate;
    return true;
  }

  bool leave_out_programs() {
    for (size_t part = programs_.size() / 2; part > 0; part /= 2)
      for (size_t at = 0; at + part <= programs_.size() && programs_.size() > 1; at += part) {
        Programs candidate = programs_;
        candidate.erase(candidate.begin() + static_cast<long>(at), candidate.begin() + static_cast<long>(at + part));
        if (is_better(candidate)) return true;
      }
    return false;
  }

  bool leave_out_clauses() {
    for (size_t p = 0; p < programs_.size(); ++p)
      for (size_t c = programs_[p].clauses.size(); c-- > 0;) {
        Programs candidate = programs_;
        auto& clauses = candidate[p].clauses;
        clauses.erase(clauses.begin() + static_cast<long>(c));
        if (!clauses.empty() && is_better(candidate)) return true;
        candidate = programs_;
        if (!candidate[p].clauses[c].predicate) continue;
        candidate[p].clauses[c].predicate = nullptr;
        if (is_better(candidate)) return true;
      }
    return false;
  }

  // All statement lists of a program, including nested lists.
  static void collect(std::vector<Statement>& body, std::vector<std::vector<Statement>*>& lists) {
    lists.push_back(&body);
    for (Statement& statement : body) {
      collect(statement.body, lists);
      collect(statement.otherwise, lists);
    }
  }
  static std::vector<std::vector<Statement>*> lists_of(Programs& programs) {
    std::vector<std::vector<Statement>*> lists;
    for (Program& program : programs)
      for (Clause& clause : program.clauses) collect(clause.body, lists);
    return lists;
  }

  bool leave_out_statements() {
    Programs candidate = programs_;
    for (size_t l = 0; l < lists_of(candidate).size(); ++l) {
      size_t size = lists_of(candidate)[l]->size();
      for (size_t part = size; part > 0; part /= 2)
        for (size_t at = 0; at + part <= size; at += part) {
          candidate = programs_;
          auto& list = *lists_of(candidate)[l];
          list.erase(list.begin() + static_cast<long>(at), list.begin() + static_cast<long>(at + part));
          if (is_better(candidate)) return true;
          candidate = programs_;
        }
      for (size_t at = 0; at < size; ++at)
        if (open_if(l, at)) return true;
    }
    return false;
  }

  // if (c) { a } else { b }: just a, or b.
  bool open_if(size_t l, size_t at) {
    for (bool takes_else : {false, true}) {
      Programs candidate = programs_;
      auto& list = *lists_of(candidate)[l];
      Statement statement = list[at];
      if (statement.kind != Statement::Kind::If) return false;
      auto& body = takes_else ? statement.otherwise : statement.body;
      list.erase(list.begin() + static_cast<long>(at));
      list.insert(list.begin() + static_cast<long>(at), body.begin(), body.end());
      if (is_better(candidate)) return true;
    }
    return false;
  }

  // An argument list that is only printed can lose members.
  static void collect(Statement& statement, std::vector<ExprPtr*>& slots) {
    if (statement.expr) slots.push_back(&statement.expr);
    for (ExprPtr& arg : statement.args) slots.push_back(&arg);
    for (ExprPtr& key : statement.keys) slots.push_back(&key);
    for (Statement& inner : statement.body) collect(inner, slots);
    for (Statement& inner : statement.otherwise) collect(inner, slots);
  }
  static std::vector<ExprPtr*> slots_of(Programs& programs) {
    std::vector<ExprPtr*> slots;
    for (Program& program : programs)
      for (Clause& clause : program.clauses) {
        if (clause.predicate) slots.push_back(&clause.predicate);
        for (Statement& statement : clause.body) collect(statement, slots);
      }
    return slots;
  }

  static ExprPtr in_type(const Type& type, const ExprPtr& expr) {
    if (expr->type == &type) return expr;
    if (expr->type->kind != Kind::Integer || type.kind != Kind::Integer) return nullptr;
    Expr cast;
    cast.form = Form::Cast;
    cast.type = &type;
    cast.parts = {expr};
    return std::make_shared<const Expr>(cast);
  }

  // All simpler replacements for an expression.
  static std::vector<ExprPtr> simpler(const ExprPtr& expr) {
    std::vector<ExprPtr> result;
    if (expr->form == Form::Number) return result;
    if (expr->type->kind == Kind::Integer && expr->form != Form::Variable) {
      Expr one;
      one.form = Form::Number;
      one.type = expr->type;
      one.number = 1;
      result.push_back(std::make_shared<const Expr>(one));
    }
    for (const ExprPtr& part : expr->parts)
      if (ExprPtr same = in_type(*expr->type, part); same && expr->form != Form::Cast) result.push_back(same);
    for (size_t i = 0; i < expr->parts.size(); ++i)
      for (const ExprPtr& part : simpler(expr->parts[i])) {
        Expr changed = *expr;
        changed.parts[i] = part;
        result.push_back(std::make_shared<const Expr>(changed));
      }
    return result;
  }

  bool replace_expressions() {
    Programs copy = programs_;
    size_t count = slots_of(copy).size();
    for (size_t i = 0; i < count; ++i)
      for (const ExprPtr& replacement : simpler(*slots_of(copy)[i])) {
        Programs candidate = programs_;
        *slots_of(candidate)[i] = replacement;
        if (is_better(candidate)) return true;
      }
    return leave_out_arguments();
  }

  bool leave_out_arguments() {
    Programs copy = programs_;
    auto lists = lists_of(copy);
    for (size_t l = 0; l < lists.size(); ++l)
      for (size_t s = 0; s < lists[l]->size(); ++s) {
        if ((*lists[l])[s].kind != Statement::Kind::Print) continue;
        for (size_t a = 0; a < (*lists[l])[s].args.size() && (*lists[l])[s].args.size() > 1; ++a) {
          Programs candidate = programs_;
          auto& args = (*lists_of(candidate)[l])[s].args;
          args.erase(args.begin() + static_cast<long>(a));
          if (is_better(candidate)) return true;
        }
      }
    return false;
  }

  Programs programs_;
  const Setting& setting_;
  const Verdict& failure_;
  int runs_;
};

}  // namespace

Programs shrink(Programs programs, const Setting& setting, const Verdict& failure, int runs) {
  return Shrinker(std::move(programs), setting, failure, runs).run();
}

}  // namespace dscope::oracle
