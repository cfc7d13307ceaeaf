// Hover texts, definitions and signatures.
#include <algorithm>

#include "catalog/option_words.h"
#include "driver/language/language_service.h"

namespace dscope {

namespace {

std::string code_block(std::string_view text) { return fmt::format("```d\n{}\n```", text); }

std::string with_text(std::string markdown, std::string_view text) {
  return text.empty() ? markdown : fmt::format("{}\n\n{}", markdown, text);
}

std::string_view name_of(NameKind kind) {
  switch (kind) {
    case NameKind::Variable: return "built-in variable";
    case NameKind::Subroutine: return "subroutine";
    case NameKind::Action: return "action";
    case NameKind::Aggregation: return "aggregating function";
    case NameKind::Keyword: return "keyword";
  }
  return {};
}

// Whether a word that follows self->, this->, @ or nothing may name the definition.
bool can_name(const Definition& definition, std::string_view before) {
  switch (definition.kind) {
    case DefinitionKind::SelfVariable: return before.ends_with("self->");
    case DefinitionKind::ThisVariable: return before.ends_with("this->");
    case DefinitionKind::Aggregation: return before.ends_with("@");
    case DefinitionKind::Clause:
    case DefinitionKind::Member: return false;
    case DefinitionKind::TranslatorMember: return before.ends_with("->") || before.ends_with(".");
    default: return !before.ends_with("->") && !before.ends_with("@");
  }
}

const ScannedItem* item_at(const Scan& scan, uint32_t offset) {
  for (const ScannedItem& item : scan.items)
    if (item.range.begin <= offset && offset <= item.range.end && item.kind == ItemKind::Token) return &item;
  return nullptr;
}

ProbeFields fields_of(std::string_view description, std::string (&storage)[4]) {
  size_t field = 0;
  for (char c : description) {
    if (c == ':' && field < 3) ++field;
    else storage[field] += c;
  }
  // Words without all colons are the last fields: `BEGIN`, `read:entry`.
  if (field < 3) {
    for (size_t i = 0; i <= field; ++i) storage[3 - i] = storage[field - i];
    for (size_t i = 0; i < 3 - field; ++i) storage[i].clear();
  }
  ProbeFields fields;
  for (size_t i = 0; i < 4; ++i) fields.field[i] = storage[i];
  return fields;
}

}  // namespace

const ProbeIndex& LanguageService::probes() {
  if (!probes_) probes_.emplace(*analysis_.make_host());
  return *probes_;
}

const std::vector<LanguageService::LibraryOutline>& LanguageService::libraries() {
  if (libraries_) return *libraries_;
  libraries_.emplace();
  for (const LibraryFile& file : analysis_.libraries()) {
    LibraryOutline& library = libraries_->emplace_back();
    library.path = file.path;
    library.scan = scan(file.text, OnBrokenText::Skip);
    library.definitions = find_definitions(library.scan);
  }
  return *libraries_;
}

// ---------------------------------------------------------------- hover

std::optional<HoverText> LanguageService::hover_description(const std::string& description, SourceRange range) {
  constexpr size_t max_examples = 5;
  std::string storage[4];
  ProbeFields fields = fields_of(description, storage);
  if (description.find('$') != std::string::npos)
    return HoverText{code_block(description) + "\n\nProbes of the process of `-p` or `-c`.", range};
  ProbeIndex::Matches matches = probes().match(fields, max_examples);
  std::string text =
      code_block(description) + fmt::format("\n\n{} probe{} match{} on this machine", matches.count,
                                            matches.count == 1 ? "" : "s", matches.count == 1 ? "es" : "");
  bool is_obvious = matches.count == 1 && matches.examples[0] == description;
  if (!is_obvious)
    for (const std::string& example : matches.examples) text += fmt::format("\n- `{}`", example);
  if (matches.count > max_examples) text += "\n- ...";
  ProbeDescription first{
      .id = {}, .provider = storage[0], .module = storage[1], .function = storage[2], .name = storage[3]};
  std::string arguments;
  for (const TypedName& argument : analysis_.arguments(first))
    arguments +=
        fmt::format("{}: {}{}{}\n", argument.detail, argument.type, argument.name.empty() ? "" : " ", argument.name);
  if (!arguments.empty()) text += fmt::format("\n\nArguments:\n{}", code_block(arguments));
  return HoverText{std::move(text), range};
}

std::optional<HoverText> LanguageService::hover_member(const std::string& path, const std::string& text,
                                                       const WordAt& word) {
  for (const TypedName& member : members_at(path, text, word.range.begin))
    if (member.name == word.text) {
      std::string line = fmt::format("{} {}", member.type, member.name);
      if (!member.detail.empty()) line += fmt::format("  // {}", member.detail);
      return HoverText{with_text(code_block(line), definition_text(member.name)), word.range};
    }
  return std::nullopt;
}

// The declaration of a translated member in a D library: where its value comes from.
std::string LanguageService::definition_text(const std::string& name) {
  for (const LibraryOutline& library : libraries())
    for (const Definition& definition : library.definitions)
      if (definition.kind == DefinitionKind::TranslatorMember && definition.name == name)
        return fmt::format("Translated: `{}`", one_line(library.scan, definition.range));
  return {};
}

std::optional<HoverText> LanguageService::hover_name(const std::string& path, const std::string& text,
                                                     const WordAt& word) {
  std::string_view before = std::string_view(text).substr(0, word.range.begin);
  bool is_variable = before.ends_with("self->") || before.ends_with("this->");
  Scan own = scan(text, OnBrokenText::Skip);
  for (const Definition& definition : find_definitions(own)) {
    if (definition.name != word.text || !can_name(definition, before)) continue;
    std::string declared = one_line(own, definition.range);
    std::string name = is_variable ? std::string(before.substr(before.size() - 6)) + word.text : word.text;
    for (const TypedName& variable : analysis_.variables(path, text))
      if (variable.name == name) declared = fmt::format("{} {}{}", variable.type, variable.name, variable.detail);
    return HoverText{with_text(code_block(declared), comment_before(own, definition.range)), word.range};
  }
  if (is_variable) return std::nullopt;
  if (const NameDoc* doc = find_name_doc(word.text))
    return HoverText{with_text(fmt::format("{}\n{}", code_block(doc->signature), name_of(doc->kind)), doc->text),
                     word.range};
  for (const LibraryOutline& library : libraries())
    for (const Definition& definition : library.definitions)
      if (definition.name == word.text && can_name(definition, before))
        return HoverText{with_text(code_block(one_line(library.scan, definition.range)),
                                   with_text(comment_before(library.scan, definition.range),
                                             fmt::format("D library `{}`", file_name(library.path)))),
                         word.range};
  return std::nullopt;
}

std::optional<HoverText> LanguageService::hover(const std::string& path, const std::string& text, uint32_t offset) {
  WordAt word = word_at(text, offset);
  Cursor cursor = find_cursor(text, word.range.end);
  if (cursor.kind == CursorKind::OptionName || cursor.kind == CursorKind::OptionValue) {
    const OptionRow* option = find_option(cursor.kind == CursorKind::OptionName ? word.text : cursor.option);
    if (option == nullptr) return std::nullopt;
    std::string values;
    for (const std::string& value : option_words(*option)) values += (values.empty() ? "" : ", ") + value;
    std::string line = std::string(option->name) + (values.empty() ? "" : " = " + values);
    return HoverText{with_text(code_block(line), option->help), word.range};
  }
  Scan scanned = scan(text, OnBrokenText::Skip);
  const ScannedItem* item = item_at(scanned, offset);
  if (item != nullptr && item->token == TokenKind::ProbeWord)
    return hover_description(std::string(scanned.text_of(*item)), item->range);
  if (word.text.empty() || cursor.kind == CursorKind::Nothing) return std::nullopt;
  bool is_variable = word.range.begin >= 6 && (text.compare(word.range.begin - 6, 6, "self->") == 0 ||
                                               text.compare(word.range.begin - 6, 6, "this->") == 0);
  if (cursor.kind == CursorKind::Member && !is_variable) return hover_member(path, text, word);
  return hover_name(path, text, word);
}

// ---------------------------------------------------------------- definitions

std::vector<DefinitionPlace> LanguageService::find_definition(const std::string& path, const std::string& text,
                                                              uint32_t offset) {
  WordAt word = word_at(text, offset);
  std::vector<DefinitionPlace> targets;
  if (word.text.empty()) return targets;
  std::string_view before = std::string_view(text).substr(0, word.range.begin);
  auto add_from = [&](const std::string& file, const Scan& scanned, const std::vector<Definition>& definitions) {
    for (const Definition& definition : definitions)
      if (definition.name == word.text && can_name(definition, before))
        targets.push_back({.path = file, .text = scanned.text, .range = definition.name_range});
  };
  Scan own = scan(text, OnBrokenText::Skip);
  add_from(path, own, find_definitions(own));
  for (const LibraryOutline& library : libraries()) add_from(library.path, library.scan, library.definitions);
  return targets;
}

// ---------------------------------------------------------------- signatures

std::optional<Signature> LanguageService::signature(const std::string& text, uint32_t offset) const {
  Cursor cursor = find_cursor(text, offset);
  const NameDoc* doc = cursor.call ? find_name_doc(cursor.call->function) : nullptr;
  if (doc == nullptr || doc->signature.find('(') == std::string::npos) return std::nullopt;
  Signature result{
      .label = doc->signature, .parameters = {}, .active_parameter = 0, .documentation = std::string(doc->text)};
  bool has_varargs = false;
  for (std::string_view parameter : prototype_parameters(result.label)) {
    auto begin = static_cast<uint32_t>(parameter.data() - result.label.data());
    result.parameters.push_back({begin, begin + static_cast<uint32_t>(parameter.size())});
    has_varargs = parameter == "...";
  }
  auto last = static_cast<uint32_t>(result.parameters.size());
  result.active_parameter = has_varargs && last > 0 ? std::min(cursor.call->argument, last - 1) : cursor.call->argument;
  return result;
}

}  // namespace dscope
