// The values of LanguageService as JSON of LSP 3.17.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "driver/language/document.h"
#include "driver/language/language_service.h"

namespace dscope {

// Throws nlohmann::json::exception if `value` is no position.
EditorPosition position_from(const nlohmann::json& value);

nlohmann::json to_json(SourceRange range, const Document& document);
nlohmann::json to_json(const Problem& problem, const Document& document);
nlohmann::json to_json(const Suggestions& suggestions, const Document& document);
nlohmann::json to_json(const HoverText& hover, const Document& document);
nlohmann::json to_json(const Signature& signature);
nlohmann::json to_json(const QuickFix& fix, const Problem& problem, const Document& document, const std::string& uri);
// The clauses and declarations of a text, as DocumentSymbol[].
nlohmann::json to_symbols(const Scan& scan, const Document& document);

}  // namespace dscope
