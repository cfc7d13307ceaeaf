#include "frontend/plan/column_names.h"

#include <utility>

#include "frontend/plan/data_layout.h"
#include "frontend/semantics/walk.h"
#include "frontend/syntax/ast_print.h"

namespace dscope {

namespace {

std::string path_text(const Expr& expr);

std::string name_text(const Name& name) {
  if (name.scope == VariableScope::Global) return name.name;
  if (name.scope == VariableScope::Traced) return "$" + name.name;
  return (name.scope == VariableScope::Self ? "self->" : "this->") + name.name;
}

std::string member_text(const Member& member) {
  std::string base = path_text(*member.base);
  if (base.empty()) return member.member;
  return base + (member.is_arrow ? "->" : ".") + member.member;
}

// An index that is not a number is left out: it can be any expression.
std::string element_text(const Index& element) {
  std::string text = path_text(*element.base);
  if (text.empty() || element.arguments.size() != 1) return text;
  const auto* index = std::get_if<IntLiteral>(&element.arguments.front()->form);
  return index ? fmt::format("{}[{}]", text, index->value) : text;
}

// The D text of a variable, a member or an element: `pid`, `self->start`, `args[0]->b_bcount`. "" for other
// expressions.
std::string path_text(const Expr& expr) {
  if (const auto* name = std::get_if<Name>(&expr.form)) return name_text(*name);
  if (const auto* symbol = std::get_if<SymbolRef>(&expr.form)) return symbol->name;
  if (const auto* member = std::get_if<Member>(&expr.form)) return member_text(*member);
  if (const auto* element = std::get_if<Index>(&expr.form)) return element_text(*element);
  return "";
}

// path_text() of the expression behind conversions of type, or the name of the function that it calls.
std::string column_name(const Expr& expr) {
  if (const auto* cast = std::get_if<Cast>(&expr.form)) return column_name(*cast->operand);
  if (const auto* text = std::get_if<Stringof>(&expr.form)) return column_name(*text->operand);
  if (const auto* call = std::get_if<Call>(&expr.form)) return path_text(*call->callee);
  return path_text(expr);
}

// FNV-1a: equal in all processes and releases, unlike std::hash.
uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

}  // namespace

bool names_values(const OptionValues& options) {
  std::string_view format = options.text(OptionId::Format);
  return options.is_on(OptionId::Rowstamps) || options.is_set(OptionId::Metric) || format == "csv" ||
         format == "json" || format == "svg" || format == "pprof" || format == "speedscope";
}

std::vector<std::string> column_names(const Call& call, Action action) {
  if (row(action).record == ActionRecord::Itself) return {std::string(row(action).name)};
  std::vector<std::string> names;
  // The first argument of printf() is the format.
  for (size_t i = row(action).record == ActionRecord::Format ? 1 : 0; i < call.arguments.size(); ++i) {
    const Expr& argument = *call.arguments[i];
    std::string name = column_name(argument);
    bool is_constant = std::holds_alternative<StringLiteral>(argument.form);
    names.push_back(name.empty() && !is_constant ? "value" : std::move(name));
  }
  return names;
}

void hash_sources(DataLayout& data) {
  for (size_t i = 0; i < data.uses.updating_clauses.size(); ++i) {
    std::string text;
    const Clause* last = nullptr;
    for (const ClauseInstance* clause : data.uses.updating_clauses[i])
      if (std::exchange(last, clause->clause) != clause->clause) text += print_clause(*clause->clause);
    data.plan.aggregations[i].source_hash = hash_of(text);
  }
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
