#include "frontend/plan/column_names.h"

#include "frontend/plan/data_layout.h"
#include "frontend/semantics/walk.h"
#include "frontend/syntax/ast_print.h"

namespace dscope {

namespace {

// The last name of `self->x` and `a->b.c`, else the whole expression; "" for a string constant.
std::string column_name(const Expr& expr) {
  if (std::holds_alternative<StringLiteral>(expr.form)) return "";
  if (const auto* name = std::get_if<Name>(&expr.form)) return name->name;
  if (const auto* member = std::get_if<Member>(&expr.form)) return member->member;
  return print_expr(expr);
}

}  // namespace

bool is_csv(const OptionValues& options) { return options.text(OptionId::Format) == "csv"; }

std::vector<std::string> column_names(const Call& call, Action action) {
  if (row(action).record == ActionRecord::Itself) return {std::string(row(action).name)};
  std::vector<std::string> names;
  // The first argument of printf() is the format.
  for (size_t i = row(action).record == ActionRecord::Format ? 1 : 0; i < call.arguments.size(); ++i)
    names.push_back(column_name(*call.arguments[i]));
  return names;
}

void name_keys(DataLayout& data) {
  walk_program(data.meaning, [&](const Expr& expr, const ClauseInstance& clause) {
    const auto statement = aggregating_statement(data.meaning, clause, expr);
    if (!statement) return;
    std::vector<std::string>& columns = data.plan.aggregations[statement->aggregation.index].columns;
    if (!columns.empty()) return;
    for (const Expr* key : statement->keys) columns.push_back(column_name(*key));
  });
}

}  // namespace dscope
