// Parses and checks D text for the machine of FakeHost. All checker tests start with it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "catalog/option_values.h"
#include "frontend/advice/advice.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parser.h"
#include "tests/support/fake_host.h"

namespace dscope {

struct UnitText {
  std::string text;
  UnitKind kind = UnitKind::Script;
  std::string name = "test.d";
};

class CheckedText {
 public:
  explicit CheckedText(std::string text) : CheckedText(std::vector<UnitText>{{.text = std::move(text)}}) {}
  explicit CheckedText(std::vector<UnitText> units, const std::vector<std::string>& options = {}) {
    for (const std::string& option : options) {
      size_t equals = option.find('=');
      bool has_value = equals != std::string::npos;
      auto result = options_.set(option.substr(0, equals), has_value ? option.substr(equals + 1) : "", has_value,
                                 OptionOrigin::CommandLine);
      EXPECT_TRUE(result.has_value()) << option;
    }
    for (UnitText& unit : units) parse(std::move(unit));
    if (!failed()) meaning_ = check(program_, host_, options_, diagnostics_);
  }

  bool failed() const { return diagnostics_.has_errors(); }
  std::string tag() const { return failed() ? std::string(to_string(diagnostics_.first().tag)) : "none"; }
  std::string message() const { return failed() ? diagnostics_.first().message : ""; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  const Diagnostic& error() const { return diagnostics_.first(); }
  std::string rendered() const { return failed() ? render(diagnostics_, "dscope", true) : ""; }
  std::string rendered_in_full() const {
    return failed() ? render_full(diagnostics_, "dscope", true, advice(diagnostics_)) : "";
  }

  const Semantics& meaning() const { return meaning_; }
  const Program& program() const { return program_; }
  TypeTable& types() { return *meaning_.types; }
  FakeHost& host() { return host_; }
  const ClauseInstance& instance(size_t index = 0) const { return meaning_.clauses.at(index); }

  // The expression of statement `index` of the instance.
  const Expr& statement(size_t index = 0, size_t instance_index = 0) const {
    return *std::get<ExprStatement>(instance(instance_index).clause->body.at(index)->form).expr;
  }
  const ExprInfo& info(const Expr& expr, size_t instance_index = 0) const {
    return meaning_.info(instance(instance_index), expr);
  }
  // The facts about the right side of statement `index` if it is an assignment, else about the statement itself.
  const ExprInfo& value(size_t index = 0, size_t instance_index = 0) const {
    const Expr& expr = statement(index, instance_index);
    const auto* assign = std::get_if<Assign>(&expr.form);
    return info(assign != nullptr ? *assign->rhs : expr, instance_index);
  }
  std::string type_name(const ExprInfo& info) { return types().spell(info.type); }
  const Variable& variable(std::string_view name, VariableScope scope = VariableScope::Global) const {
    for (const Variable& variable : meaning_.variables)
      if (variable.name == name && variable.scope == scope) return variable;
    ADD_FAILURE() << "no variable " << name;
    static const Variable none;
    return none;
  }

 private:
  void parse(UnitText unit) {
    UnitId id = sources_.add(unit.kind, std::move(unit.name), std::move(unit.text));
    ParseOptions parse_options;
    ParseContext context;
    context.options = &parse_options;
    context.is_type = [this](std::string_view name) {
      return names_.find(name).has_value() || host_.find_type(names_, "", name).has_value();
    };
    context.is_identifier = [](std::string_view name) {
      return find_variable(name) != nullptr || find_subroutine(name) != nullptr || find_action(name) != nullptr ||
             find_aggregation(name) != nullptr || find_raw_argument(name) || name == "args" || name == "NULL";
    };
    context.is_available = [this](std::string_view kind, std::string_view name) {
      if (kind == "module") return name == "vmlinux";
      return kind == "provider" && !host_.match({.provider = std::string(name)}).empty();
    };
    context.has_probe = [this](uint32_t number) { return !host_.match({.id = number}).empty(); };
    context.apply_option = [this](std::string_view name, std::string_view value, bool has_value) -> std::string {
      auto result = options_.set(name, value, has_value, OptionOrigin::Pragma);
      return result ? "" : result.error().message();
    };
    if (!failed()) parse_unit(program_, id, context, diagnostics_);
  }

  FakeHost host_;
  TypeTable names_;  // answers the parser's queries for type names only
  SourceSet sources_;
  Diagnostics diagnostics_{sources_};
  OptionValues options_;
  Program program_;
  Semantics meaning_;
};

// The spelled type of `expression` as the only statement of BEGIN, or the tag of its error.
inline std::string type_of(const std::string& expression, const std::string& declarations = "") {
  CheckedText checked(declarations + " BEGIN { " + expression + "; }");
  return checked.failed() ? checked.tag() + ": " + checked.message() : checked.type_name(checked.value());
}

// The tag of the error in `text`, or "none".
inline std::string tag_of(const std::string& text) { return CheckedText(text).tag(); }
inline std::string message_of(const std::string& text) { return CheckedText(text).message(); }

}  // namespace dscope
