#include "frontend/syntax/probe_specifier_parser.h"

#include "contract/process_provider.h"
#include "frontend/syntax/macro_expander.h"
#include "support/check.h"
#include "support/format.h"
#include "support/text/words.h"

namespace dscope {

// specifier = PSPEC | INT ;
std::optional<ProbeSpecifier> ProbeSpecifierParser::parse_specifier(const HasProbe& has_probe) {
  ProbeSpecifier specifier;
  if (!at(TokenKind::ProbeWord) && !at(TokenKind::Integer)) {
    syntax_error(peek());
    return specifier;
  }
  Token token = take();
  specifier.at = token.at();
  if (token.kind == TokenKind::Integer) set_probe_id(specifier, token, has_probe);
  else if (!has_unset_option(token.text)) set_probe_fields(specifier, token);
  else return std::nullopt;
  return specifier;
}

void ProbeSpecifierParser::set_probe_id(ProbeSpecifier& specifier, const Token& token, const HasProbe& has_probe) {
  if (source_.last_field != SpecifierField::Name)
    return error(Tag::D_PDESC_INVAL, token.at(), "probe identifier {} is not permitted where {} is expected",
                 token.text,
                 source_.last_field == SpecifierField::Function ? "a function"
                 : source_.last_field == SpecifierField::Module ? "a module"
                                                                : "a provider");
  bool may_exist = token.value <= UINT32_MAX && token.value > 0;
  if (!may_exist || (has_probe && !has_probe(static_cast<uint32_t>(token.value)))) {
    error(Tag::D_PDESC_INVAL, token.at(), "invalid probe identifier {}: Unknown probe identifier", token.text);
    return diagnostics_.hint("list the probe ids with -l: they differ from boot to boot");
  }
  specifier.id = static_cast<uint32_t>(token.value);
}

namespace {

std::string_view description_form(SpecifierField last) {
  switch (last) {
    case SpecifierField::Provider: return "PROVIDER";
    case SpecifierField::Module: return "[PROVIDER:]MODULE";
    case SpecifierField::Function: return "[[PROVIDER:]MODULE:]FUNCTION";
    case SpecifierField::Name: return "[[[PROVIDER:]MODULE:]FUNCTION:]NAME";
  }
  DS_UNREACHABLE();
}

// Splits at colons outside parentheses and angle brackets: pid$target:a.out:f(ns::type):entry.
std::vector<std::string_view> split_description(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' || text[at] == '<';
    depth -= text[at] == ')' || text[at] == '>';
    if (text[at] != ':' || depth > 0) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// Joins the parts of a C++ function whose name contains colons, if all other fields are present:
// pid$target:a.out:shop::Cart::add:entry. Returns `parts` unchanged if they do not have this form.
std::vector<std::string_view> join_scoped_function(const std::vector<std::string_view>& parts, size_t allowed) {
  constexpr size_t function = static_cast<size_t>(SpecifierField::Function);
  if (allowed <= function) return parts;
  size_t after = allowed - 1 - function, last = parts.size() - after - 1;
  for (size_t i = function; i <= last; ++i) {
    bool is_between_colons = (i - function) % 2 == 1;
    if (parts[i].empty() != is_between_colons) return parts;
  }
  const char* begin = parts[function].data();
  std::vector<std::string_view> result(parts.begin(), parts.begin() + function);
  result.emplace_back(begin, static_cast<size_t>(parts[last].data() + parts[last].size() - begin));
  result.insert(result.end(), parts.end() - static_cast<std::ptrdiff_t>(after), parts.end());
  return result;
}

}  // namespace

// Assigns the parts to fields such that the last part is the right-most field that this unit allows.
void ProbeSpecifierParser::set_probe_fields(ProbeSpecifier& specifier, const Token& token) {
  std::string* const fields[] = {&specifier.provider, &specifier.module, &specifier.function, &specifier.name};
  size_t allowed = static_cast<size_t>(source_.last_field) + 1;
  std::vector<std::string_view> parts = split_description(token.text);
  if (parts.size() > allowed) parts = join_scoped_function(parts, allowed);
  if (parts.size() > allowed) {
    error(Tag::D_PDESC_INVAL, token.at(), "invalid probe description \"{}\": Overspecified probe description",
          token.text);
    bool is_of_process = token.text.starts_with(pid_provider) || token.text.starts_with("uprobe");
    if (is_of_process && token.text.find("::") != std::string_view::npos)
      return diagnostics_.hint("write a C++ function between module and name: pid$target:a.out:shop::Cart::add:entry");
    return diagnostics_.hint(fmt::format("expected form: {}", description_form(source_.last_field)));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    std::optional<std::string> expanded = expand_field(parts[i]);
    if (!expanded)
      return error(Tag::D_PDESC_INVAL, token.at(),
                   "invalid probe description \"{}\": Undefined macro variable in probe description", token.text);
    *fields[allowed - parts.size() + i] = std::move(*expanded);
  }
}

namespace {

// The name behind the dollars at `dollar`.
std::string_view macro_name(std::string_view text, size_t dollar) {
  size_t begin = std::min(text.find_first_not_of('$', dollar), text.size());
  size_t end = begin;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return text.substr(begin, end - begin);
}

}  // namespace

bool ProbeSpecifierParser::has_unset_option(std::string_view text) const {
  for (size_t dollar = text.find('$'); dollar < text.size();) {
    std::string_view name = macro_name(text, dollar);
    const ScriptOption* option = macros_.find_option(name);
    if (option != nullptr && macros_.find_option_text(*option) == nullptr) return true;
    dollar = text.find('$', static_cast<size_t>(name.data() - text.data()) + name.size());
  }
  return false;
}

// The text for the option in a description. Times have a unit, for tick-$interval.
std::string ProbeSpecifierParser::option_text(const ScriptOption& option) const {
  const std::string* text = macros_.find_option_text(option);
  if (option.kind != ScriptValueKind::Time) return text != nullptr ? *text : std::string{};
  Result<uint64_t> period = script_number(option, *text);
  return fmt::format("{}ns", period.value_or(0));
}

// pid$target, pid$1abc: the field from the first `$` on is one macro reference.
std::optional<std::string> ProbeSpecifierParser::expand_field(std::string_view field) {
  size_t dollar = field.find('$');
  if (dollar == std::string_view::npos) return std::string(field);
  std::string text{field.substr(0, dollar)};
  std::string_view macro = field.substr(dollar + 1);
  if (macro.starts_with('$')) macro.remove_prefix(1);

  std::string_view name = macro_name(field, dollar);
  if (const ScriptOption* option = macros_.find_option(name))
    return text + option_text(*option) + std::string(macro.substr(name.size()));

  size_t digits = 0;
  while (digits < macro.size() && macro[digits] >= '0' && macro[digits] <= '9') ++digits;
  if (digits > 0) {
    const std::string* argument =
        digits > 9 ? nullptr : macros_.find_argument(std::stoull(std::string(macro.substr(0, digits))));
    if (argument == nullptr) return std::nullopt;
    return text + *argument + std::string(macro.substr(digits));
  }
  std::optional<uint64_t> value = macros_.find_variable(macro);
  if (!value) return std::nullopt;
  return text + std::to_string(*value);
}

}  // namespace dscope
