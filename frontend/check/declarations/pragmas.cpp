// Pragmas that say something about an identifier: how stable it is, and since which version of D there is one
// (d-language.md 8.2). They may stand before the definition; what is still undefined at the end of the unit is a
// mistake.
#include <algorithm>

#include "frontend/check/checker.h"
#include "support/check.h"

namespace dscope {

void Checker::check_pragma(const External& external, const Pragma& pragma) {
  const std::string& name = pragma.words.front();
  bool is_about_identifier = name == "attributes" || name == "binding";
  if (!is_about_identifier || apply_pragma(external.at, pragma) || failed()) return;
  pending_pragmas_.push_back({.at = external.at, .pragma = &pragma});
}

// Whatever was just defined may be what a pragma above waits for.
void Checker::apply_pending_pragmas() {
  std::erase_if(pending_pragmas_,
                [&](const PendingPragma& pending) { return !failed() && apply_pragma(pending.at, *pending.pragma); });
}

void Checker::check_unused_pragmas() {
  if (!pending_pragmas_.empty()) {
    const PendingPragma& first = pending_pragmas_.front();
    fail(Tag::D_PRAGMA_UNUSED, first.at, "#pragma {}: {} is not defined in this program", first.pragma->words.front(),
         first.pragma->words[first.pragma->words.size() > 3 ? 3 : 2]);
  }
  pending_pragmas_.clear();
}

// False: the identifier is not defined yet.
bool Checker::apply_pragma(const Position& at, const Pragma& pragma) {
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

// What `name` stands for, if this unit defined it; reports names that belong to somebody else.
std::optional<Checker::GlobalName> Checker::find_own_global(const Position& at, std::string_view pragma,
                                                            const std::string& name) {
  auto found = globals_.find(name);
  bool is_own =
      found != globals_.end() && std::visit(Overloaded{[&](VariableId id) { return id.index >= unit_start_.variables; },
                                                       [&](InlineId id) { return id.index >= unit_start_.inlines; },
                                                       [](const EnumConstant&) { return false; }},
                                            found->second);
  if (is_own) return found->second;
  if (is_global_name(name))
    fail(Tag::D_PRAGMA_SCOPE, at, "#pragma {} may only name what this program defines: {}", pragma, name);
  return std::nullopt;
}

bool Checker::apply_attributes(const Position& at, const Attributes& attributes, const std::string& name) {
  auto global = find_own_global(at, "attributes", name);
  if (!global) return failed();
  if (const auto* variable = std::get_if<VariableId>(&*global))
    meaning_.variables[variable->index].attributes = attributes;
  if (const auto* definition = std::get_if<InlineId>(&*global))
    meaning_.inlines[definition->index].attributes = attributes;
  return true;
}

bool Checker::apply_binding(const Position& at, const std::string& text, const std::string& name) {
  auto version = parse_version(text);
  if (!version) {
    fail(Tag::D_PRAGMA_INVAL, at, "invalid version \"{}\" in #pragma binding: {}", text, version.error().message());
    return true;
  }
  if (name == "translator") {
    is_next_translator_hidden_ = *version > version_;
    return true;
  }
  if (!find_own_global(at, "binding", name)) return failed();
  if (*version > version_) globals_.erase(name);
  return true;
}

bool Checker::apply_provider_attributes(const Position& at, const Attributes& attributes, std::string_view word,
                                        const std::string& provider, std::string_view field) {
  struct Part {
    std::string_view name;
    Attributes ProviderAttributes::* place;
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
  for (DefinedProvider& known : meaning_.providers) {
    if (known.name != provider) continue;
    known.attributes.*row->place = attributes;
    return true;
  }
  if (!host_.match({.id = {}, .provider = provider, .module = {}, .function = {}, .name = {}}).empty())
    fail(Tag::D_PRAGMA_SCOPE, at, "#pragma attributes may only name a provider that this program defines: {}",
         provider);
  return failed();
}

}  // namespace dscope
