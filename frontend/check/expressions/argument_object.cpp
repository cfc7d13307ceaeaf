#include "frontend/check/expressions/argument_object.h"

#include <algorithm>

#include "frontend/check/expressions/argument_typer.h"
#include "frontend/check/expressions/composed_struct.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/traced_variable_typer.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/name_table.h"

namespace dscope {

namespace {

bool is_all_variables(const Name& name) {
  return name.scope == VariableScope::Traced && name.name == all_traced_variables;
}

// Whether the argument points to text: `const char *`, unless its size follows, as in write(fd, buffer, size).
bool points_to_text(const std::vector<ProbeArg>& arguments, uint64_t index) {
  if (arguments[index].type_text != "const char *" || !arguments[index].translated_text.empty()) return false;
  return index + 1 == arguments.size() || arguments[index + 1].type_text != "size_t";
}

}  // namespace

bool ArgumentObject::is_args(const Expr& expr) const {
  const auto* name = std::get_if<Name>(&expr.form);
  if (name == nullptr) return false;
  return is_all_variables(*name) || std::holds_alternative<ArgsArray>(names_.find(*name));
}

Expr* ArgumentObject::make_argument(const Expr& args, uint64_t index) {
  Expr* number = expansions_.make(args.at, IntLiteral{.value = index});
  return expansions_.make(args.at, Index{.base = expansions_.copy(args), .arguments = {number}});
}

// The typed expression args[index], or the text that it points to. Translated objects have no address, so that a
// pointer to one becomes the object.
const Expr* ArgumentObject::value_of(const Expr& args, const std::vector<ProbeArg>& arguments, uint64_t index) {
  Expr* value = make_argument(args, index);
  if (arguments_.is_record_text(arguments[index])) {
    value = expansions_.make(args.at, Stringof{value});
  } else if (points_to_text(arguments, index)) {
    Expr* text = expansions_.make(args.at, Stringof{make_argument(args, index)});
    Expr* absent = expansions_.make(args.at, StringLiteral{"(null)"});
    value = expansions_.make(args.at, Ternary{.condition = value, .then_value = text, .else_value = absent});
  }
  ExprInfo typed = expressions_.check(*value);
  if (failed()) return nullptr;
  if (typed.translated != nullptr) {
    TranslatedObject whole = *typed.translated;
    whole.is_pointer = false;
    translated_objects_.evaluate_whole(*value, whole);
  }
  return failed() ? nullptr : value;
}

ExprInfo ArgumentObject::check(const Expr& expr) {
  if (is_all_variables(std::get<Name>(expr.form))) return traced_variables_.check_all(expr);
  if (context_.instance == nullptr)
    return fail(Tag::D_ARGS_NONE, expr.at, "args[ ] may not be used outside of a clause");
  auto arguments = arguments_.arguments_of(expr);
  if (!arguments || failed()) return {};
  if (arguments->empty()) {
    fail(Tag::D_ARGS_IDX, expr.at, "args is empty: {} has no typed arguments", context_.instance->description);
    diagnostics_.hint("print arg0, arg1 ...");
    return {};
  }
  Type type{.kind = TypeKind::Struct, .name = "args"};
  TranslatedObject object;
  for (uint64_t i = 0; i < arguments->size(); ++i) {
    const ProbeArg& argument = (*arguments)[i];
    if (!arguments_.is_readable(argument, i)) continue;
    const Expr* value = value_of(expr, *arguments, i);
    if (value == nullptr) return {};
    std::string name = argument.name.empty() ? fmt::format("arg{}", i) : argument.name;
    const TypeMember& member = append_member(types_, type, std::move(name), info(*value).type);
    object.members.push_back({.target = {.type = member.type, .bit_offset = member.bit_offset}, .value = value});
  }
  object.type = types_.add(std::move(type));
  ExprInfo result = translated_objects_.add(object);
  result.type = object.type;
  result.space = Space::Storage;
  return expressions_.store(expr, result);
}

}  // namespace dscope
