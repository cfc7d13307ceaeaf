#include "frontend/semantics/complexity.h"

#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

bool is_boolean_operator(BinaryOp op) {
  switch (op) {
    case BinaryOp::Less:
    case BinaryOp::LessEqual:
    case BinaryOp::Greater:
    case BinaryOp::GreaterEqual:
    case BinaryOp::Equal:
    case BinaryOp::NotEqual:
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalOr:
    case BinaryOp::LogicalXor: return true;
    case BinaryOp::Multiply:
    case BinaryOp::Divide:
    case BinaryOp::Modulo:
    case BinaryOp::Add:
    case BinaryOp::Subtract:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
    case BinaryOp::BitAnd:
    case BinaryOp::BitXor:
    case BinaryOp::BitOr: return false;
  }
  DS_UNREACHABLE();
}

namespace {

bool is_join(BinaryOp op) { return is_boolean_operator(op) || op == BinaryOp::Divide || op == BinaryOp::Modulo; }

uint32_t count_ifs(const std::vector<Statement*>& body) {
  uint32_t count = 0;
  for (const Statement* statement : body)
    if (const auto* choice = std::get_if<IfStatement>(&statement->form))
      count += 1 + count_ifs(choice->then_body) + count_ifs(choice->else_body);
  return count;
}

}  // namespace

uint32_t count_joins(const Semantics& meaning, const ClauseInstance& clause) {
  uint32_t count = count_ifs(clause.clause->body);
  walk_clause(meaning, clause, [&](const Expr& expr) {
    if (std::holds_alternative<Ternary>(expr.form)) ++count;
    if (const auto* binary = std::get_if<Binary>(&expr.form); binary != nullptr && is_join(binary->op)) ++count;
    if (const auto* id = std::get_if<VariableId>(&meaning.info(clause, expr).binding)) {
      const Variable& variable = meaning.variables[id->index];
      if (variable.is_associative || variable.scope == VariableScope::Self) ++count;
    }
    if (std::holds_alternative<Subroutine>(meaning.info(clause, expr).binding)) ++count;
  });
  return count;
}

}  // namespace dscope
