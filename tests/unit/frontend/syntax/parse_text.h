// Parses one D text for a small fake machine. All parser tests start with it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/ast_print.h"
#include "frontend/syntax/parser.h"

namespace dscope {

struct Setting {
  UnitKind kind = UnitKind::Script;
  SpecifierField last_field = SpecifierField::Name;
  std::vector<std::string> arguments;
  std::vector<ScriptValue> script_values;  // of the options that the text declares
  ParseOptions options{};
  std::string name = "test.d";
  bool knows_every_type = false;  // accepts any word that ends in _t as a type
};

// Owns everything a parse needs, so that tests can inspect the program and the diagnostics.
class ParsedText {
 public:
  explicit ParsedText(std::string text, Setting setting = {}) : options_(setting.options) {
    arguments_ = std::move(setting.arguments);
    knows_every_type_ = setting.knows_every_type;
    add(std::move(text), setting);
  }
  // Parses another unit of the same command line.
  void add(std::string text, const Setting& setting = {}) {
    UnitId unit = sources_.add(setting.kind, setting.name, std::move(text), setting.last_field);
    ParseContext context;
    context.macros = {
        .arguments = arguments_, .program_name = "dscope", .target = 1234, .options = setting.script_values};
    context.options = &options_;
    context.is_type = [this](std::string_view name) {
      ++type_questions_;
      if (knows_every_type_) return name.ends_with("_t") || name.starts_with("u_");
      static const std::set<std::string_view> types = {"pid_t", "uint64_t", "uint8_t", "size_t", "task_t", "list_t"};
      return types.contains(name);
    };
    context.is_identifier = [](std::string_view name) {
      static const std::set<std::string_view> names = {"pid",  "execname", "timestamp", "trace", "printf",
                                                       "exit", "arg0",     "count",     "args",  "curthread"};
      return names.contains(name);
    };
    context.apply_option = [this](std::string_view name, std::string_view value, bool has_value) -> std::string {
      if (name == "nosuch") return "Invalid option name";
      if (name == "pspec") options_.probe_specifiers = true;
      if (name == "defaultargs") options_.default_arguments = true;
      applied_ += std::string(name) + (has_value ? "=" : "") + std::string(value) + ";";
      return {};
    };
    context.tokens = &tokens_;
    parse_unit(program_, unit, context, diagnostics_);
    const auto& end_mistake = program_.units.back().end_mistake;
    if (end_mistake && !failed()) diagnostics_.add(*end_mistake);  // the checker reports it after the definitions
  }

  bool failed() const { return diagnostics_.has_errors(); }
  std::string tag() const { return failed() ? std::string(to_string(diagnostics_.first().tag)) : "none"; }
  std::string message() const { return failed() ? diagnostics_.first().message : ""; }
  uint32_t error_line() const { return diagnostics_.first().at.line; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  const Program& program() const { return program_; }
  Program& program() { return program_; }
  const std::string& applied_options() const { return applied_; }
  int type_questions() const { return type_questions_; }
  const std::vector<External>& externals() const { return program_.units.back().externals; }
  template <typename Form>
  const Form& external(size_t index = 0) const {
    return std::get<Form>(externals().at(index).form);
  }
  // The expression of statement `index` in the first clause.
  const Expr& statement(size_t index = 0) const {
    return *std::get<ExprStatement>(external<Clause>().body.at(index)->form).expr;
  }
  std::string_view text_of(SourceRange range) const { return sources_.text(range); }
  const std::vector<Token>& tokens() const { return tokens_; }

 private:
  SourceSet sources_;
  Diagnostics diagnostics_{sources_};
  Program program_;
  ParseOptions options_;
  std::vector<std::string> arguments_;
  std::vector<Token> tokens_;
  std::string applied_;
  int type_questions_ = 0;
  bool knows_every_type_ = false;
};

// Parses `text` as the action list of one clause and prints its first statement with every pair of parentheses that
// the tree implies: (a + (b * c)).
inline std::string grouped(const Expr& expr) {
  auto join = [](const std::vector<Expr*>& list) {
    std::string text;
    for (const Expr* each : list) text += (text.empty() ? "" : ", ") + grouped(*each);
    return text;
  };
  if (const auto* form = std::get_if<Binary>(&expr.form)) {
    Expr plain = expr;
    plain.is_parenthesized = false;
    std::string whole = print_expr(plain), lhs = print_expr(*form->lhs), rhs = print_expr(*form->rhs);
    std::string op = whole.substr(lhs.size(), whole.size() - lhs.size() - rhs.size());
    return "(" + grouped(*form->lhs) + op + grouped(*form->rhs) + ")";
  }
  if (const auto* form = std::get_if<Assign>(&expr.form))
    return "(" + grouped(*form->lhs) + " = " + grouped(*form->rhs) + ")";
  if (const auto* form = std::get_if<Ternary>(&expr.form))
    return "(" + grouped(*form->condition) + " ? " + grouped(*form->then_value) + " : " + grouped(*form->else_value) +
           ")";
  if (const auto* form = std::get_if<Comma>(&expr.form))
    return "(" + grouped(*form->lhs) + ", " + grouped(*form->rhs) + ")";
  if (const auto* form = std::get_if<Call>(&expr.form))
    return grouped(*form->callee) + "(" + join(form->arguments) + ")";
  return print_expr(expr);
}

inline std::string grouped(const std::string& expression) {
  ParsedText parsed("BEGIN { " + expression + "; }");
  return parsed.failed() ? parsed.tag() + ": " + parsed.message() : grouped(parsed.statement());
}

// The tag of the error in `text`, or "none".
inline std::string tag_of(const std::string& text, Setting setting = {}) {
  return ParsedText(text, std::move(setting)).tag();
}

inline std::string message_of(const std::string& text, Setting setting = {}) {
  return ParsedText(text, std::move(setting)).message();
}

}  // namespace dscope
