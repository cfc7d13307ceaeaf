#include "frontend/check/expressions/argument_object.h"

#include <algorithm>

#include "frontend/check/expressions/argument_typer.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/name_table.h"

namespace dscope {

namespace {

// Places a member behind those that the structure has.
TypeMember& append_member(const TypeTable& types, Type& object, std::string name, TypeId type) {
  uint64_t alignment = std::max<uint64_t>(types.alignment_of(type), 1);
  object.size = (object.size + alignment - 1) / alignment * alignment;
  object.members.push_back(
      {.name = std::move(name), .type = type, .bit_offset = static_cast<uint32_t>(object.size * 8)});
  object.size += types.size_of(type);
  return object.members.back();
}

}  // namespace

bool ArgumentObject::is_args(const Expr& expr) const {
  const auto* name = std::get_if<Name>(&expr.form);
  return name != nullptr && std::holds_alternative<ArgsArray>(names_.find(*name));
}

// The typed expression args[index], or the text in the record of a tracepoint. Translated objects have no address, so
// that a pointer to one becomes the object.
const Expr* ArgumentObject::value_of(const Expr& args, const ProbeArg& argument, uint64_t index) {
  Expr* number = expansions_.make(args.at, IntLiteral{.value = index});
  const Expr* value = expansions_.make(args.at, Index{.base = expansions_.copy(args), .arguments = {number}});
  if (arguments_.is_record_text(argument)) value = expansions_.make(args.at, Stringof{const_cast<Expr*>(value)});
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
    const Expr* value = value_of(expr, argument, i);
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
