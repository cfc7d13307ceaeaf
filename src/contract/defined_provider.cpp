// The note consists of lines of words. The last word of a line may contain blanks: provider NAME, attributes FIELD
// TRIPLE, probe NAME, input FORM SIZE TYPE, view INDEX TYPE.
#include "contract/defined_provider.h"

#include <algorithm>

#include "support/format.h"
#include "support/text/parse_integer.h"

namespace dscope {

namespace {

constexpr std::string_view form_names[] = {"signed", "unsigned", "float", "pointer", "string", "other"};

struct AttributesField {
  std::string_view name;
  Attributes ProviderAttributes::* member;
};
constexpr AttributesField attributes_fields[] = {{"provider", &ProviderAttributes::provider},
                                                 {"module", &ProviderAttributes::module},
                                                 {"function", &ProviderAttributes::function},
                                                 {"name", &ProviderAttributes::name},
                                                 {"args", &ProviderAttributes::args}};

// Removes the text up to and including `end` from the front of `rest`. Returns the text before `end`.
std::string_view take(std::string_view& rest, char end) {
  std::string_view taken = rest.substr(0, rest.find(end));
  rest.remove_prefix(std::min(rest.size(), taken.size() + 1));
  return taken;
}

std::optional<uint32_t> number(std::string_view text) { return parse_integer<uint32_t>(text); }

bool read_input(std::string_view rest, DefinedProbe& probe) {
  auto form = std::find(std::begin(form_names), std::end(form_names), take(rest, ' '));
  auto size = number(take(rest, ' '));
  if (form == std::end(form_names) || !size || rest.empty()) return false;
  probe.input.push_back({.type_text = std::string(rest),
                         .base_text = {},
                         .form = static_cast<ArgumentForm>(form - std::begin(form_names)),
                         .size = *size});
  return true;
}

bool read_view(std::string_view rest, DefinedProbe& probe) {
  auto input = number(take(rest, ' '));
  if (!input || *input >= probe.input.size() || rest.empty()) return false;
  probe.view.push_back({.input = *input, .type_text = std::string(rest)});
  return true;
}

bool read_attributes(std::string_view rest, ProviderAttributes& attributes) {
  std::string_view name = take(rest, ' ');
  auto field = std::find_if(std::begin(attributes_fields), std::end(attributes_fields),
                            [&](const AttributesField& known) { return known.name == name; });
  auto triple = parse_attributes(rest);
  if (field == std::end(attributes_fields) || !triple) return false;
  attributes.*field->member = *triple;
  return true;
}

}  // namespace

std::string with_dashes(std::string_view name) {
  std::string text;
  for (size_t at = 0; at < name.size(); ++at) {
    bool is_dash = name.substr(at).starts_with("__");
    text += is_dash ? '-' : name[at];
    if (is_dash) ++at;
  }
  return text;
}

std::string without_dashes(std::string_view name) {
  std::string text;
  for (char c : name) text += c == '-' ? "__" : std::string(1, c);
  return text;
}

std::string semaphore_name(std::string_view provider, std::string_view probe) {
  return fmt::format("{}_{}_semaphore", provider, without_dashes(probe));
}

std::string write_note(const DefinedProvider& provider) {
  std::string text = fmt::format("provider {}\n", provider.name);
  for (const AttributesField& field : attributes_fields)
    text += fmt::format("attributes {} {}\n", field.name, to_string(provider.attributes.*field.member));
  for (const DefinedProbe& probe : provider.probes) {
    text += fmt::format("probe {}\n", probe.name);
    for (const DefinedArgument& argument : probe.input)
      text += fmt::format("input {} {} {}\n", form_names[static_cast<size_t>(argument.form)], argument.size,
                          argument.type_text);
    for (const ViewedArgument& argument : probe.view)
      text += fmt::format("view {} {}\n", argument.input, argument.type_text);
  }
  return text;
}

std::optional<DefinedProvider> parse_note(std::string_view text) {
  DefinedProvider provider;
  while (!text.empty()) {
    std::string_view rest = take(text, '\n');
    std::string_view keyword = take(rest, ' ');
    bool is_valid = true;
    if (keyword == "provider") provider.name = rest;
    else if (keyword == "attributes") is_valid = read_attributes(rest, provider.attributes);
    else if (keyword == "probe") provider.probes.push_back({.name = std::string(rest), .input = {}, .view = {}});
    else if (keyword == "input") is_valid = !provider.probes.empty() && read_input(rest, provider.probes.back());
    else if (keyword == "view") is_valid = !provider.probes.empty() && read_view(rest, provider.probes.back());
    if (!is_valid) return std::nullopt;
  }
  return provider.name.empty() ? std::nullopt : std::optional(std::move(provider));
}

}  // namespace dscope
