#include "frontend/check/declarations/pragmas.h"

#include <algorithm>

#include "frontend/check/declarations/translators.h"
#include "frontend/check/name_table.h"
#include "support/check.h"

namespace dscope {

void Pragmas::add(const External& external, const Pragma& pragma) {
  const std::string& name = pragma.words.front();
  bool is_about_identifier = name == "attributes" || name == "binding";
  if (!is_about_identifier || apply(external.at, pragma) || failed()) return;
  pending_.push_back({.at = external.at, .pragma = &pragma});
}

// The last definition may be the one that an earlier pragma waits for.
void Pragmas::apply_pending() {
  std::erase_if(pending_,
                [&](const PendingPragma& pending) { return !failed() && apply(pending.at, *pending.pragma); });
}

void Pragmas::check_unused() {
  if (!pending_.empty()) {
    const PendingPragma& first = pending_.front();
    fail(Tag::D_PRAGMA_UNUSED, first.at, "#pragma {}: {} is not defined in this program", first.pragma->words.front(),
         first.pragma->words[first.pragma->words.size() > 3 ? 3 : 2]);
  }
  pending_.clear();
}

void Pragmas::start_unit() {
  first_own_variable_ = semantics_.variables.size();
  first_own_inline_ = semantics_.inlines.size();
}

// False if the identifier is not defined yet.
bool Pragmas::apply(const Position& at, const Pragma& pragma) {
  if (pragma.words.front() == "binding") return apply_binding(at, pragma.words[1], pragma.words[2]);
  auto attributes = parse_attributes(pragma.words[1]);
  if (!attributes) {
    fail(Tag::D_PRAGMA_INVAL, at, "invalid attributes {}: NAME/DATA/CLASS expected", pragma.words[1]);
    return true;
  }
  if (pragma.words.size() == 5)
    return apply_provider_attributes(at, *attributes, pragma.words[2], pragma.words[3], pragma.words[4]);
  return apply_attributes(at, *attributes, pragma.words[2]);
}

// The definition of `name` in this unit; nullopt if it has none. Names that are defined elsewhere are an error.
std::optional<GlobalName> Pragmas::find_own_global(const Position& at, std::string_view pragma,
                                                   const std::string& name) {
  const GlobalName* found = names_.find_definition(name);
  bool is_own =
      found != nullptr && std::visit(Overloaded{[&](VariableId id) { return id.index >= first_own_variable_; },
                                                [&](InlineId id) { return id.index >= first_own_inline_; },
                                                [](const EnumConstant&) { return false; }},
                                     *found);
  if (is_own) return *found;
  if (names_.is_global_name(name))
    fail(Tag::D_PRAGMA_SCOPE, at, "#pragma {} may only name what this program defines: {}", pragma, name);
  return std::nullopt;
}

bool Pragmas::apply_attributes(const Position& at, const Attributes& attributes, const std::string& name) {
  auto global = find_own_global(at, "attributes", name);
  if (!global) return failed();
  if (const auto* variable = std::get_if<VariableId>(&*global))
    semantics_.variables[variable->index].attributes = attributes;
  if (const auto* definition = std::get_if<InlineId>(&*global))
    semantics_.inlines[definition->index].attributes = attributes;
  return true;
}

bool Pragmas::apply_binding(const Position& at, const std::string& text, const std::string& name) {
  auto version = parse_version(text);
  if (!version) {
    fail(Tag::D_PRAGMA_INVAL, at, "invalid version \"{}\" in #pragma binding: {}", text, version.error().message());
    return true;
  }
  if (name == "translator") {
    translators_.hide_next(*version > context_.version);
    return true;
  }
  if (!find_own_global(at, "binding", name)) return failed();
  if (*version > context_.version) names_.undefine(name);
  return true;
}

bool Pragmas::apply_provider_attributes(const Position& at, const Attributes& attributes, std::string_view word,
                                        const std::string& provider, std::string_view field) {
  struct Part {
    std::string_view name;
    Attributes ProviderAttributes::* member;
  };
  static constexpr Part fields[] = {{"provider", &ProviderAttributes::provider},
                                    {"module", &ProviderAttributes::module},
                                    {"function", &ProviderAttributes::function},
                                    {"name", &ProviderAttributes::name},
                                    {"args", &ProviderAttributes::args}};
  auto row = std::find_if(std::begin(fields), std::end(fields), [&](const Part& known) { return known.name == field; });
  if (word != "provider" || row == std::end(fields)) {
    fail(Tag::D_PRAGMA_INVAL, at,
         "invalid #pragma attributes: `provider NAME` and one of provider, module, function, name, args expected");
    return true;
  }
  for (DefinedProvider& known : semantics_.providers) {
    if (known.name != provider) continue;
    known.attributes.*row->member = attributes;
    return true;
  }
  if (!host_.match({.id = {}, .provider = provider, .module = {}, .function = {}, .name = {}}).empty())
    fail(Tag::D_PRAGMA_SCOPE, at, "#pragma attributes may only name a provider that this program defines: {}",
         provider);
  return failed();
}

}  // namespace dscope
