#include "frontend/check/declarations/translators.h"

#include <utility>

#include "contract/types/member.h"
#include "frontend/check/declarations/inlines.h"
#include "frontend/check/declarations/type_builder.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/name_table.h"

namespace dscope {

void Translators::define(const External& external, const TranslatorDefinition& form) {
  // Hidden by a pragma: it belongs to a later version of D.
  if (std::exchange(is_next_hidden_, false)) return;
  auto output = type_builder_.type_of(*form.output);
  if (!output) return;
  auto input = type_builder_.type_of(*form.input);
  if (!input) return;
  if (!types_.is_struct_or_union(type_finder_.complete(*output))) {
    fail(Tag::D_XLATE_SOU, form.output->at, "output type of a translator must be a struct or union: {}",
         types_.spell(*output));
    return;
  }
  for (const Translator& other : semantics_.translators) {
    if (!is_same_type(types_, other.output, *output) || !is_exact_type(other.input, *input)) continue;
    fail(Tag::D_XLATE_REDECL, external.at, "translator from {} to {} has already been declared", types_.spell(*input),
         types_.spell(*output));
    return;
  }
  auto index = static_cast<uint32_t>(semantics_.translators.size());
  semantics_.translators.push_back({.output = *output, .input = *input, .definition = &form});
  // Translators of our libraries are typed on use, as their inlines are.
  SourceLocation at = diagnostics_.sources().locate(external.at.range.begin);
  bool is_library = diagnostics_.sources().unit(at.unit).kind == UnitKind::Library;
  if (!is_library || context_.unit.rules.is_checked_at_once) type(index);
}

void Translators::type(uint32_t index) {
  const Translator translator = semantics_.translators[index];
  const TranslatorDefinition& form = *translator.definition;
  for (const TranslatorMember& member : form.members) {
    auto found = find_member(host_, types_, translator.output, member.name);
    if (!found) {
      fail(Tag::D_XLATE_MEMB, member.at, "translator member {} is not a member of {}", member.name,
           types_.spell(translator.output));
      return;
    }
    Parameters parameters{.names = {&form.input_name, 1}, .types = {&translator.input, 1}, .arguments = {}};
    ExprInfo value = inlines_.type_definition(*member.value, &parameters);
    if (failed() || !check_member_value(member, found->type, value)) return;
  }
}

bool Translators::check_member_value(const TranslatorMember& member, TypeId type, const ExprInfo& value) {
  if (is_error(value)) return true;
  bool is_good = value.translated != nullptr
                     ? is_same_type(types_, type, translated_objects_.type_of(*value.translated))
                     : is_compatible_value(type, value);
  if (is_good) return true;
  fail(Tag::D_XLATE_INCOMPAT, member.at, "translator member {} of type {} cannot have a value of type {}", member.name,
       types_.spell(type),
       types_.spell(value.translated != nullptr ? translated_objects_.type_of(*value.translated) : value.type));
  return false;
}

// ---------------------------------------------------------------- search
bool Translators::is_exact_type(TypeId a, TypeId b) const {
  return a == b || (is_same_type(types_, a, b) && types_.spell(a) == types_.spell(b));
}

// A translator from the source type itself comes first, then one from the type behind its typedefs, then one whose
// input the source could be passed to.
std::optional<uint32_t> Translators::find(TypeId source, bool is_zero_source, TypeId target) const {
  auto first = [&](auto fits) -> std::optional<uint32_t> {
    for (uint32_t i = 0; i < semantics_.translators.size(); ++i) {
      const Translator& translator = semantics_.translators[i];
      if (is_same_type(types_, translator.output, target) && fits(translator.input)) return i;
    }
    return std::nullopt;
  };
  if (auto found = first([&](TypeId input) { return is_exact_type(input, source); })) return found;
  if (auto found = first([&](TypeId input) { return is_same_type(types_, input, source); })) return found;
  return first([&](TypeId input) { return is_compatible(types_, input, source, is_zero_source); });
}

}  // namespace dscope
