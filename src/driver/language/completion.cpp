// Completion: the names that may stand at the cursor.
#include <algorithm>

#include "catalog/option_words.h"
#include "driver/language/language_service.h"

namespace dscope {

namespace {

constexpr size_t max_values = 200;

constexpr std::string_view type_words[] = {
    "char",    "short",   "int",     "long",    "unsigned", "signed",    "void",     "string", "int8_t",
    "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t",  "uint64_t", "pid_t",  "uid_t",
    "gid_t",   "size_t",  "ssize_t", "off_t",   "intptr_t", "uintptr_t", "struct",   "union",  "enum"};
constexpr std::string_view macro_names[] = {"pid", "ppid", "pgid", "sid", "uid", "euid", "gid", "egid", "target"};

SuggestionKind suggestion_kind(NameKind kind) {
  switch (kind) {
    case NameKind::Variable: return SuggestionKind::Variable;
    case NameKind::Keyword: return SuggestionKind::Keyword;
    default: return SuggestionKind::Function;
  }
}

SuggestionKind suggestion_kind(DefinitionKind kind) {
  switch (kind) {
    case DefinitionKind::Inline:
    case DefinitionKind::Enumerator: return SuggestionKind::Constant;
    case DefinitionKind::Typedef:
    case DefinitionKind::Struct:
    case DefinitionKind::Enum: return SuggestionKind::Type;
    default: return SuggestionKind::Variable;
  }
}

void add_suggestion(Suggestions& out, std::string_view label, const Cursor& cursor, SuggestionKind kind,
                    std::string detail = {}, std::string documentation = {}) {
  if (!label.starts_with(cursor.prefix)) return;
  out.items.push_back({.label = std::string(label),
                       .kind = kind,
                       .detail = std::move(detail),
                       .documentation = std::move(documentation)});
}

void complete_options(const Cursor& cursor, Suggestions& out) {
  for (std::string_view name : all_option_names()) {
    const OptionRow& option = *find_option(name);
    bool is_settable = option.when != OptionWhen::CompileCommandLine && option.when != OptionWhen::RunCommandLine;
    if (has_effect(option) && is_settable)
      add_suggestion(out, option.name, cursor, SuggestionKind::Option, std::string(option.help));
  }
}

bool is_expression_name(DefinitionKind kind) {
  return kind == DefinitionKind::Inline || kind == DefinitionKind::Enumerator || kind == DefinitionKind::Variable;
}

}  // namespace

// ---------------------------------------------------------------- descriptions

void LanguageService::complete_description(const Cursor& cursor, Suggestions& out) {
  ProbeFields fields;
  for (size_t i = 0; i < 4; ++i) fields.field[i] = cursor.fields[i];
  if (cursor.field == ProbeField::Provider) {
    for (std::string_view name : {"BEGIN", "END", "ERROR"})
      add_suggestion(out, name, cursor, SuggestionKind::Probe, "dtrace:::");
    for (std::string_view name : {"tick-1s", "profile-997"})
      add_suggestion(out, name, cursor, SuggestionKind::Probe, "a timer");
    for (std::string_view word : {"inline", "typedef", "struct", "translator", "self", "this", "enum", "provider"})
      add_suggestion(out, word, cursor, SuggestionKind::Keyword);
    add_suggestion(out, "pid$target:a.out:", cursor, SuggestionKind::Probe, "functions of the process of -p or -c");
  }
  ProbeIndex::Values found = probes().complete(fields, cursor.field, cursor.prefix, max_values);
  for (const ProbeIndex::Value& value : found.values)
    add_suggestion(out, value.text, cursor, SuggestionKind::Probe, fmt::format("{} probes", value.probe_count));
  out.is_complete = out.is_complete && found.is_complete;
}

// ---------------------------------------------------------------- members

const std::vector<TypedName>& LanguageService::members_at(const std::string& path, const std::string& text,
                                                          uint32_t begin) {
  std::string key = path + '\n' + text.substr(0, begin);
  if (key == members_key_) return members_;
  members_ = analysis_.members(path, text, begin);
  members_key_ = std::move(key);
  if (!members_.empty()) return members_;
  // args->NAME: the arguments of the clause's probe.
  Scan scanned = scan(text.substr(0, begin), OnBrokenText::Skip);
  const ScannedItem* description = nullptr;
  std::string_view before;
  for (const ScannedItem& item : scanned.items) {
    if (item.kind != ItemKind::Token) continue;
    if (item.token == TokenKind::ProbeWord) description = &item;
    if (item.token != TokenKind::Arrow) before = scanned.text_of(item);
  }
  if (before != "args" || description == nullptr) return members_;
  Cursor cursor = find_cursor(scanned.text, description->range.end);
  members_ = analysis_.arguments({.id = {},
                                  .provider = cursor.fields[0],
                                  .module = cursor.fields[1],
                                  .function = cursor.fields[2],
                                  .name = cursor.prefix});
  std::erase_if(members_, [](const TypedName& name) { return name.name.empty(); });
  return members_;
}

void LanguageService::complete_members(const std::string& path, const std::string& text, const Cursor& cursor,
                                       Suggestions& out) {
  // self-> and this-> have variables, not members.
  std::string_view before = std::string_view(text).substr(0, cursor.begin);
  bool is_self = before.ends_with("self->"), is_this = before.ends_with("this->");
  if (is_self || is_this) {
    Scan scanned = scan(text, OnBrokenText::Skip);
    DefinitionKind kind = is_self ? DefinitionKind::SelfVariable : DefinitionKind::ThisVariable;
    for (const Definition& definition : find_definitions(scanned))
      if (definition.kind == kind && definition.name_range.begin != cursor.begin)
        add_suggestion(out, definition.name, cursor, SuggestionKind::Member, one_line(scanned, definition.range, 80));
    return;
  }
  for (const TypedName& member : members_at(path, text, cursor.begin))
    add_suggestion(out, member.name, cursor, SuggestionKind::Member,
                   member.type + (member.detail.empty() ? "" : ", " + member.detail));
}

// ---------------------------------------------------------------- names and types

void LanguageService::add_definitions(const Scan& scan, const std::vector<Definition>& definitions,
                                      const Cursor& cursor, Suggestions& out) const {
  for (const Definition& definition : definitions) {
    bool is_own_text = definition.name_range.begin == cursor.begin && definition.name == cursor.prefix;
    if (is_expression_name(definition.kind) && !definition.name.starts_with("__") && !is_own_text)
      add_suggestion(out, definition.name, cursor, suggestion_kind(definition.kind),
                     one_line(scan, definition.range, 80), comment_before(scan, definition.range));
  }
}

void LanguageService::complete_names(const std::string& text, const Cursor& cursor, Suggestions& out) {
  for (const NameDoc& doc : all_name_docs())
    add_suggestion(out, doc.name, cursor, suggestion_kind(doc.kind), doc.signature, std::string(doc.text));
  Scan scanned = scan(text, OnBrokenText::Skip);
  add_definitions(scanned, find_definitions(scanned), cursor, out);
  for (const LibraryOutline& library : libraries()) add_definitions(library.scan, library.definitions, cursor, out);
}

void LanguageService::complete_types(const std::string& text, const Cursor& cursor, Suggestions& out) {
  Scan scanned = scan(text, OnBrokenText::Skip);
  auto add_types = [&](const Scan& source, const std::vector<Definition>& definitions) {
    for (const Definition& definition : definitions) {
      bool is_tag = definition.kind == DefinitionKind::Struct || definition.kind == DefinitionKind::Enum;
      bool is_wanted = cursor.tag_keyword.empty() ? definition.kind == DefinitionKind::Typedef : is_tag;
      if (is_wanted && !definition.name.starts_with("__"))
        add_suggestion(out, definition.name, cursor, SuggestionKind::Type, one_line(source, definition.range, 80),
                       comment_before(source, definition.range));
    }
  };
  add_types(scanned, find_definitions(scanned));
  for (const LibraryOutline& library : libraries()) add_types(library.scan, library.definitions);
  if (!cursor.tag_keyword.empty()) return;
  for (std::string_view word : type_words) add_suggestion(out, word, cursor, SuggestionKind::Type);
}

Suggestions LanguageService::complete(const std::string& path, const std::string& text, uint32_t offset) {
  Cursor cursor = find_cursor(text, offset);
  Suggestions out{.items = {}, .range = {cursor.begin, std::max(cursor.begin, offset)}};
  switch (cursor.kind) {
    case CursorKind::Nothing: break;
    case CursorKind::Description: complete_description(cursor, out); break;
    case CursorKind::Member: complete_members(path, text, cursor, out); break;
    case CursorKind::Name: complete_names(text, cursor, out); break;
    case CursorKind::Type: complete_types(text, cursor, out); break;
    case CursorKind::Aggregation: {
      Scan scanned = scan(text, OnBrokenText::Skip);
      for (const Definition& definition : find_definitions(scanned))
        if (definition.kind == DefinitionKind::Aggregation && definition.name_range.begin + 1 != cursor.begin)
          add_suggestion(out, definition.name, cursor, SuggestionKind::Variable);
      break;
    }
    case CursorKind::Macro:
      for (std::string_view name : macro_names) add_suggestion(out, name, cursor, SuggestionKind::Constant);
      break;
    case CursorKind::PragmaWord:
      for (std::string_view word : {"option", "depends_on", "attributes", "binding"})
        add_suggestion(out, word, cursor, SuggestionKind::Keyword);
      break;
    case CursorKind::OptionName: complete_options(cursor, out); break;
    case CursorKind::OptionValue:
      if (const OptionRow* option = find_option(cursor.option))
        for (const std::string& word : option_words(*option)) add_suggestion(out, word, cursor, SuggestionKind::Value);
      break;
  }
  std::ranges::stable_sort(out.items, {}, &Suggestion::label);
  auto same = std::ranges::unique(out.items, {}, &Suggestion::label);
  out.items.erase(same.begin(), same.end());
  return out;
}

}  // namespace dscope
