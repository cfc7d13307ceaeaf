#include "driver/lsp/protocol.h"

namespace dscope {

namespace {

using nlohmann::json;

// CompletionItemKind
int completion_kind(SuggestionKind kind) {
  switch (kind) {
    case SuggestionKind::Variable: return 6;
    case SuggestionKind::Function: return 3;
    case SuggestionKind::Keyword: return 14;
    case SuggestionKind::Member: return 5;
    case SuggestionKind::Type: return 22;
    case SuggestionKind::Constant: return 21;
    case SuggestionKind::Option: return 10;
    case SuggestionKind::Value: return 12;
    case SuggestionKind::Probe: return 23;
    case SuggestionKind::Snippet: return 15;
  }
  return 1;
}

// SymbolKind
int symbol_kind(DefinitionKind kind) {
  switch (kind) {
    case DefinitionKind::Clause: return 24;
    case DefinitionKind::Inline: return 14;
    case DefinitionKind::Typedef:
    case DefinitionKind::Struct: return 23;
    case DefinitionKind::Enum: return 10;
    case DefinitionKind::Enumerator: return 22;
    case DefinitionKind::Member:
    case DefinitionKind::TranslatorMember: return 8;
    case DefinitionKind::Translator: return 12;
    case DefinitionKind::Provider: return 11;
    case DefinitionKind::ProviderProbe: return 24;
    case DefinitionKind::Variable:
    case DefinitionKind::SelfVariable:
    case DefinitionKind::ThisVariable: return 13;
    case DefinitionKind::Aggregation: return 18;
  }
  return 13;
}

std::string shown_name(const Definition& definition) {
  switch (definition.kind) {
    case DefinitionKind::SelfVariable: return "self->" + definition.name;
    case DefinitionKind::ThisVariable: return "this->" + definition.name;
    case DefinitionKind::Aggregation: return "@" + definition.name;
    default: return definition.name;
  }
}

json markdown(const std::string& text) { return {{"kind", "markdown"}, {"value", text}}; }

json position_json(EditorPosition position) { return {{"line", position.line}, {"character", position.character}}; }

bool is_within(SourceRange inner, SourceRange outer) { return inner.begin >= outer.begin && inner.end <= outer.end; }

}  // namespace

EditorPosition position_from(const json& value) {
  return {.line = value.at("line").get<uint32_t>(), .character = value.at("character").get<uint32_t>()};
}

json to_json(SourceRange range, const Document& document) {
  return {{"start", position_json(document.position_of(range.begin))},
          {"end", position_json(document.position_of(range.end))}};
}

json to_json(const Problem& problem, const Document& document) {
  std::string message = problem.message;
  for (const std::string& hint : problem.hints) message += "\nhint: " + hint;
  json result = {{"range", to_json(problem.range, document)},
                 {"severity", problem.severity == ProblemSeverity::Error ? 1 : 2},
                 {"source", "dscope"},
                 {"message", message}};
  if (!problem.tag.empty()) result["code"] = problem.tag;
  return result;
}

json to_json(const Suggestions& suggestions, const Document& document) {
  json items = json::array();
  json range = to_json(suggestions.range, document);
  for (const Suggestion& suggestion : suggestions.items) {
    json item = {{"label", suggestion.label},
                 {"kind", completion_kind(suggestion.kind)},
                 {"textEdit", {{"range", range}, {"newText", suggestion.label}}}};
    if (!suggestion.detail.empty()) item["detail"] = suggestion.detail;
    if (!suggestion.documentation.empty()) item["documentation"] = markdown(suggestion.documentation);
    items.push_back(std::move(item));
  }
  return {{"isIncomplete", !suggestions.is_complete}, {"items", std::move(items)}};
}

json to_json(const HoverText& hover, const Document& document) {
  return {{"contents", markdown(hover.markdown)}, {"range", to_json(hover.range, document)}};
}

json to_json(const Signature& signature) {
  json parameters = json::array();
  for (SourceRange range : signature.parameters) parameters.push_back({{"label", {range.begin, range.end}}});
  json result = {{"label", signature.label}, {"parameters", std::move(parameters)}};
  if (!signature.documentation.empty()) result["documentation"] = markdown(signature.documentation);
  return {{"signatures", json::array({std::move(result)})},
          {"activeSignature", 0},
          {"activeParameter", signature.active_parameter}};
}

json to_json(const QuickFix& fix, const Problem& problem, const Document& document, const std::string& uri) {
  json edits = json::array();
  for (const Edit& edit : fix.edits)
    edits.push_back({{"range", to_json(edit.range, document)}, {"newText", edit.text}});
  return {{"title", fix.title},
          {"kind", "quickfix"},
          {"diagnostics", json::array({to_json(problem, document)})},
          {"edit", {{"changes", {{uri, std::move(edits)}}}}}};
}

json to_symbols(const Scan& scan, const Document& document) {
  json symbols = json::array();
  SourceRange parent{0, 0};
  for (const Definition& definition : find_definitions(scan)) {
    json symbol = {{"name", shown_name(definition)},
                   {"kind", symbol_kind(definition.kind)},
                   {"range", to_json(definition.range, document)},
                   {"selectionRange", to_json(definition.name_range, document)}};
    bool is_part = !symbols.empty() && is_within(definition.range, parent);
    if (is_part) {
      symbols.back()["children"].push_back(std::move(symbol));
    } else {
      symbols.push_back(std::move(symbol));
      parent = definition.range;
    }
  }
  return symbols;
}

}  // namespace dscope
