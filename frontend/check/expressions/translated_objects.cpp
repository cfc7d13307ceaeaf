#include "frontend/check/expressions/translated_objects.h"

#include "contract/types/member.h"
#include "frontend/check/declarations/translators.h"
#include "frontend/check/declarations/type_builder.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/name_table.h"
#include "frontend/check/prototype.h"

namespace dscope {

TypeId TranslatedObjects::type_of(const TranslatedObject& object) {
  return object.is_pointer ? types_.pointer_to(object.type) : object.type;
}

ExprInfo TranslatedObjects::add(TranslatedObject object) {
  ExprInfo result = value(types_.dynamic_type());
  result.translated = &semantics_.translated_objects.emplace_back(std::move(object));
  return result;
}

ExprInfo TranslatedObjects::check(const Expr& expr, const Xlate& form) {
  auto type = type_builder_.type_of(*form.type);
  if (!type) return {};
  ExprInfo operand = expressions_.check(*form.operand);
  if (failed() || is_error(operand)) return {};
  bool is_pointer = types_.is_pointer(*type);
  TypeId target = is_pointer ? target_of(types_, *type) : *type;
  if (!types_.is_struct_or_union(type_finder_.complete(target)))
    return fail(Tag::D_XLATE_SOU, expr.at, "xlate needs a struct or union, or a pointer to one, not {}",
                types_.spell(*type));
  TypeId source = operand.translated != nullptr ? type_of(*operand.translated) : operand.type;
  auto translator = translators_.find(source, is_zero(operand), target);
  if (!translator)
    return fail(Tag::D_XLATE_NONE, expr.at, "cannot translate from {} to {}: there is no translator",
                types_.spell(source), types_.spell(*type));
  return add(
      {.type = target, .is_pointer = is_pointer, .translator = *translator, .operand = form.operand, .members = {}});
}

const Expr* TranslatedObjects::expand_member(const Expr& use, const TranslatedObject& object,
                                             const TranslatorMember& member, TypeId type) {
  const Translator& translator = semantics_.translators[object.translator];
  TypeId input = translator.input;
  Parameters parameters{
      .names = {&translator.definition->input_name, 1}, .types = {&input, 1}, .arguments = {&object.operand, 1}};
  const Expr* value = expansions_.expand(*member.value, parameters, use);
  if (value == nullptr || !translators_.check_member_value(member, type, info(*value))) return nullptr;
  return value;
}

ExprInfo TranslatedObjects::check_member(const Expr& expr, const Member& form, const TranslatedObject& object) {
  if (form.is_arrow && !object.is_pointer) {
    fail(Tag::D_OP_PTR, expr.at, "operator -> needs a pointer to a struct or union, not a translated {}",
         types_.spell(object.type));
    diagnostics_.hint("this is a structure, not a pointer: use `.`");
    return {};
  }
  if (!form.is_arrow && object.is_pointer) {
    fail(Tag::D_OP_SOU, expr.at, "operator . needs a struct or union, not a translated {}",
         types_.spell(type_of(object)));
    diagnostics_.hint("this is a pointer: use `->`");
    return {};
  }
  const Translator& translator = semantics_.translators[object.translator];
  auto found = find_member(host_, types_, object.type, form.member);
  for (const TranslatorMember& member : translator.definition->members) {
    if (member.name != form.member || !found) continue;
    const Expr* value = expand_member(expr, object, member, found->type);
    if (value == nullptr) return {};
    ExprInfo result = expansions_.replacement_info(*value, found->type);
    bool is_work = !std::holds_alternative<Name>(object.operand->form) && !info(*object.operand).constant;
    if (is_work && types_.is_scalar(info(*object.operand).type) && expansions_.count_uses(*object.operand, *value) > 1)
      result.operand = object.operand;
    return result;
  }
  fail(Tag::D_XLATE_NOCONV, expr.at, "translator from {} to {} does not define a conversion for member {}",
       types_.spell(translator.input), types_.spell(translator.output), form.member);
  std::vector<std::string_view> names;
  for (const TranslatorMember& member : translator.definition->members) names.push_back(member.name);
  suggest(form.member, names);
  return {};
}

// A pointer to a translated object has no address. Where it is compared with null, its operand is compared instead.
ExprInfo TranslatedObjects::as_untranslated(const Expr& expr, ExprInfo meaning) {
  if (failed() || meaning.translated == nullptr || !meaning.translated->is_pointer) return meaning;
  const Expr& operand = *meaning.translated->operand;
  ExprInfo original = info(operand);
  if (!types_.is_pointer(original.type)) return expressions_.store(expr, constant(types_.int_type(), 1));
  return expressions_.store(expr, {.type = original.type, .space = original.space, .stands_for = &operand});
}

// Where the program needs the object itself, all members are evaluated. Members that the translator leaves out are 0,
// and so are pointers to translated objects, which have no address.
ExprInfo TranslatedObjects::evaluate_whole(const Expr& expr, const TranslatedObject& object) {
  TranslatedObject whole = object;
  const TranslatorDefinition& definition = *semantics_.translators[object.translator].definition;
  for (const TranslatorMember& member : definition.members) {
    auto found = find_member(host_, types_, object.type, member.name);
    if (!found)
      return fail(Tag::D_XLATE_MEMB, member.at, "translator member {} is not a member of {}", member.name,
                  types_.spell(object.type));
    const Expr* value = expand_member(expr, object, member, found->type);
    if (value == nullptr) return {};
    const TranslatedObject* inner = info(*value).translated;
    if (inner != nullptr && inner->is_pointer) continue;
    if (inner != nullptr) expressions_.store(*value, evaluate_whole(*value, *inner));
    if (failed()) return {};
    whole.members.push_back({.target = *found, .value = value});
  }
  ExprInfo result = add(std::move(whole));
  result.type = object.type;
  result.space = Space::Storage;
  return expressions_.store(expr, result);
}

// ---------------------------------------------------------------- args[n]

// args[n] of a probe whose argument D shows with another type than the kernel passes.
ExprInfo TranslatedObjects::translated_argument(const Expr& expr, const ProbeArg& argument, const ExprInfo& native) {
  TypeId wanted = parse_type_text(argument.translated_text, types_,
                                  [&](std::string_view name) { return type_finder_.catalog_type(name); });
  if (is_compatible_value(wanted, native)) {
    ExprInfo result = native;
    result.type = wanted;
    return result;
  }
  bool is_pointer = types_.is_pointer(wanted);
  TypeId target = is_pointer ? target_of(types_, wanted) : wanted;
  auto translator = translators_.find(native.type, false, target);
  if (!translator)
    return fail(Tag::D_ARGS_XLATOR, expr.at, "translator for {} from {} to {} is not defined",
                context_.instance->description, argument.type_text, argument.translated_text);
  // The operand is a copy of the node that stands for the argument as the kernel passes it.
  Expr* operand = expansions_.copy(expr);
  const auto& form = std::get<Index>(expr.form);
  const auto& copy = std::get<Index>(operand->form);
  expressions_.store(*copy.base, info(*form.base));
  expressions_.store(*copy.arguments[0], info(*form.arguments[0]));
  expressions_.store(*operand, native);
  return add({.type = target, .is_pointer = is_pointer, .translator = *translator, .operand = operand, .members = {}});
}

}  // namespace dscope
