// Translators (d-language.md 2.5): their definition, the search for one, and the use of translated objects, whose
// members are expanded where they are named.
#include <utility>

#include "frontend/check/checker.h"

namespace dscope {

// ---------------------------------------------------------------- definition

void Checker::define_translator(const External& external, const TranslatorDefinition& form) {
  // One of a later version of D is not there.
  if (std::exchange(is_next_translator_hidden_, false)) return;
  auto output = type_of(*form.output);
  if (!output) return;
  auto input = type_of(*form.input);
  if (!input) return;
  if (!types_.is_struct_or_union(complete(*output))) {
    fail(Tag::D_XLATE_SOU, form.output->at, "output type of a translator must be a struct or union: {}",
         types_.spell(*output));
    return;
  }
  for (const Translator& other : meaning_.translators) {
    if (!is_same_type(types_, other.output, *output) || !is_exact_type(other.input, *input)) continue;
    fail(Tag::D_XLATE_REDECL, external.at, "translator from {} to {} has already been declared", types_.spell(*input),
         types_.spell(*output));
    return;
  }
  auto index = static_cast<uint32_t>(meaning_.translators.size());
  meaning_.translators.push_back({.output = *output, .input = *input, .definition = &form});
  // As inlines: see is_typed_late.
  SourceLocation at = diagnostics_.sources().locate(external.at.range.begin);
  bool is_library = diagnostics_.sources().unit(at.unit).kind == UnitKind::Library;
  if (!is_library || unit_rules_.is_checked_at_once) type_translator(index);
}

void Checker::type_translator(uint32_t index) {
  const Translator translator = meaning_.translators[index];
  const TranslatorDefinition& form = *translator.definition;
  for (const TranslatorMember& member : form.members) {
    auto place = find_member(host_, types_, translator.output, member.name);
    if (!place) {
      fail(Tag::D_XLATE_MEMB, member.at, "translator member {} is not a member of {}", member.name,
           types_.spell(translator.output));
      return;
    }
    Parameters parameters{.names = {&form.input_name, 1}, .types = {&translator.input, 1}, .arguments = {}};
    ExprInfo value = type_definition(*member.value, &parameters);
    if (failed() || !check_member_value(member, place->type, value)) return;
  }
}

bool Checker::check_member_value(const TranslatorMember& member, TypeId type, const ExprInfo& value) {
  if (is_error(value)) return true;
  bool is_good = value.translated != nullptr ? is_same_type(types_, type, type_of_object(*value.translated))
                                             : is_compatible_value(type, value);
  if (is_good) return true;
  fail(Tag::D_XLATE_INCOMPAT, member.at, "translator member {} of type {} cannot have a value of type {}", member.name,
       types_.spell(type), types_.spell(value.translated != nullptr ? type_of_object(*value.translated) : value.type));
  return false;
}

// ---------------------------------------------------------------- search

bool Checker::is_exact_type(TypeId a, TypeId b) const {
  return a == b || (is_same_type(types_, a, b) && types_.spell(a) == types_.spell(b));
}

// The source as it is written comes first, then what its typedefs stand for, then what could be passed to a function.
std::optional<uint32_t> Checker::find_translator(TypeId source, bool is_zero_source, TypeId target) const {
  auto first = [&](auto fits) -> std::optional<uint32_t> {
    for (uint32_t i = 0; i < meaning_.translators.size(); ++i) {
      const Translator& translator = meaning_.translators[i];
      if (is_same_type(types_, translator.output, target) && fits(translator.input)) return i;
    }
    return std::nullopt;
  };
  if (auto found = first([&](TypeId input) { return is_exact_type(input, source); })) return found;
  if (auto found = first([&](TypeId input) { return is_same_type(types_, input, source); })) return found;
  return first([&](TypeId input) { return is_compatible(types_, input, source, is_zero_source); });
}

// ---------------------------------------------------------------- translated objects

TypeId Checker::type_of_object(const TranslatedObject& object) {
  return object.is_pointer ? types_.pointer_to(object.type) : object.type;
}

ExprInfo Checker::translated(TranslatedObject object) {
  ExprInfo result = value(types_.dynamic_type());
  result.translated = &meaning_.translated_objects.emplace_back(std::move(object));
  return result;
}

ExprInfo Checker::check(const Expr& expr, const Xlate& form) {
  auto type = type_of(*form.type);
  if (!type) return {};
  ExprInfo operand = check(*form.operand);
  if (failed() || is_error(operand)) return {};
  bool is_pointer = types_.is_pointer(*type);
  TypeId target = is_pointer ? target_of(types_, *type) : *type;
  if (!types_.is_struct_or_union(complete(target)))
    return fail(Tag::D_XLATE_SOU, expr.at, "xlate needs a struct or union, or a pointer to one, not {}",
                types_.spell(*type));
  TypeId source = operand.translated != nullptr ? type_of_object(*operand.translated) : operand.type;
  auto translator = find_translator(source, is_zero(operand), target);
  if (!translator)
    return fail(Tag::D_XLATE_NONE, expr.at, "cannot translate from {} to {}: there is no translator",
                types_.spell(source), types_.spell(*type));
  return translated(
      {.type = target, .is_pointer = is_pointer, .translator = *translator, .operand = form.operand, .members = {}});
}

const Expr* Checker::expand_member(const Expr& use, const TranslatedObject& object, const TranslatorMember& member,
                                   TypeId type) {
  const Translator& translator = meaning_.translators[object.translator];
  TypeId input = translator.input;
  Parameters parameters{
      .names = {&translator.definition->input_name, 1}, .types = {&input, 1}, .arguments = {&object.operand, 1}};
  const Expr* value = expand(*member.value, parameters, use);
  if (value == nullptr || !check_member_value(member, type, info(*value))) return nullptr;
  return value;
}

ExprInfo Checker::translated_member(const Expr& expr, const Member& form, const TranslatedObject& object) {
  if (form.is_arrow && !object.is_pointer) {
    fail(Tag::D_OP_PTR, expr.at, "operator -> needs a pointer to a struct or union, not a translated {}",
         types_.spell(object.type));
    diagnostics_.hint("this is a structure, not a pointer: use `.`");
    return {};
  }
  if (!form.is_arrow && object.is_pointer) {
    fail(Tag::D_OP_SOU, expr.at, "operator . needs a struct or union, not a translated {}",
         types_.spell(type_of_object(object)));
    diagnostics_.hint("this is a pointer: use `->`");
    return {};
  }
  const Translator& translator = meaning_.translators[object.translator];
  auto place = find_member(host_, types_, object.type, form.member);
  for (const TranslatorMember& member : translator.definition->members) {
    if (member.name != form.member || !place) continue;
    const Expr* value = expand_member(expr, object, member, place->type);
    if (value == nullptr) return {};
    ExprInfo result = standing_for(*value, place->type);
    bool is_work = !std::holds_alternative<Name>(object.operand->form) && !info(*object.operand).constant;
    if (is_work && types_.is_scalar(info(*object.operand).type) && uses_of(*object.operand, *value) > 1)
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

// A pointer to a translated object has no address, but may be asked whether it is null: as what it is made from.
ExprInfo Checker::as_original(const Expr& expr, ExprInfo meaning) {
  if (failed() || meaning.translated == nullptr || !meaning.translated->is_pointer) return meaning;
  const Expr& operand = *meaning.translated->operand;
  ExprInfo original = info(operand);
  if (!types_.is_pointer(original.type)) return store(expr, constant(types_.int_type(), 1));
  return store(expr, {.type = original.type, .space = original.space, .stands_for = &operand});
}

// `expr` where the object itself is wanted: all members are evaluated; those that the translator leaves out are 0, as
// are pointers to translated objects, which have no address.
ExprInfo Checker::whole_object(const Expr& expr, const TranslatedObject& object) {
  TranslatedObject whole = object;
  const TranslatorDefinition& definition = *meaning_.translators[object.translator].definition;
  for (const TranslatorMember& member : definition.members) {
    auto place = find_member(host_, types_, object.type, member.name);
    if (!place)
      return fail(Tag::D_XLATE_MEMB, member.at, "translator member {} is not a member of {}", member.name,
                  types_.spell(object.type));
    const Expr* value = expand_member(expr, object, member, place->type);
    if (value == nullptr) return {};
    const TranslatedObject* inner = info(*value).translated;
    if (inner != nullptr && inner->is_pointer) continue;
    if (inner != nullptr) store(*value, whole_object(*value, *inner));
    if (failed()) return {};
    whole.members.push_back({.place = *place, .value = value});
  }
  ExprInfo result = translated(std::move(whole));
  result.type = object.type;
  result.space = Space::Storage;
  return store(expr, result);
}

// ---------------------------------------------------------------- args[n]

// args[n] of a probe whose argument the kernel has in another form than the D program sees.
ExprInfo Checker::translated_argument(const Expr& expr, const ProbeArg& argument, const ExprInfo& native) {
  TypeId wanted =
      parse_type_text(argument.translated_text, types_, [&](std::string_view name) { return catalogue_type(name); });
  if (is_compatible_value(wanted, native)) {
    ExprInfo result = native;
    result.type = wanted;
    return result;
  }
  bool is_pointer = types_.is_pointer(wanted);
  TypeId target = is_pointer ? target_of(types_, wanted) : wanted;
  auto translator = find_translator(native.type, false, target);
  if (!translator)
    return fail(Tag::D_ARGS_XLATOR, expr.at, "translator for {} from {} to {} is not defined", instance_->description,
                argument.type_text, argument.translated_text);
  // The operand is the argument as the kernel has it: the same node, with that meaning.
  Expr* operand = copy_of(expr);
  const auto& form = std::get<Index>(expr.form);
  const auto& copy = std::get<Index>(operand->form);
  store(*copy.base, info(*form.base));
  store(*copy.arguments[0], info(*form.arguments[0]));
  store(*operand, native);
  return translated(
      {.type = target, .is_pointer = is_pointer, .translator = *translator, .operand = operand, .members = {}});
}

}  // namespace dscope
