#include "frontend/syntax/token.h"

#include <unordered_map>

#include "support/check.h"
#include "support/format.h"

namespace dscope {

std::string_view to_string(TokenKind kind) {
  static constexpr std::string_view names[] = {
#define DS_TOKEN(kind, shown) shown,
#define DS_PUNCTUATOR(kind, text) text,
#define DS_KEYWORD(kind, word) word,
#include "frontend/syntax/token.def"
  };
  return names[static_cast<size_t>(kind)];
}

std::string_view to_string(LexMode mode) {
  switch (mode) {
    case LexMode::Outer: return "outer";
    case LexMode::Inner: return "inner";
    case LexMode::Predicate:
    case LexMode::PredicateNested: return "predicate";
    case LexMode::Member: return "member";
    case LexMode::ControlScan: return "control";
  }
  DS_UNREACHABLE();
}

namespace {

std::string_view dump_class(TokenKind kind) {
  switch (kind) {
#define DS_PUNCTUATOR(kind, text) \
  case TokenKind::kind: return "punctuator";
#define DS_KEYWORD(kind, word) \
  case TokenKind::kind: return "keyword";
#include "frontend/syntax/token.def"
    case TokenKind::PredicateEnd: return "predicate end";
    default: return to_string(kind);
  }
}

}  // namespace

std::string dump_token(const Token& token, std::string_view text) {
  if (text.empty()) return fmt::format("{:5} {:<9} {}", token.line, to_string(token.mode), dump_class(token.kind));
  std::string line =
      fmt::format("{:5} {:<9} {:<15} {}", token.line, to_string(token.mode), dump_class(token.kind), text);
  if (!text.starts_with('$')) return line;
  switch (token.kind) {
    case TokenKind::Integer: return line + fmt::format(" = {}", token.value);
    case TokenKind::String: return line + fmt::format(" = \"{}\"", token.text);
    case TokenKind::Minus:
    case TokenKind::Plus: return line + fmt::format(" = {}", to_string(token.kind));
    default: return line + fmt::format(" = {}", token.text);
  }
}

TokenKind keyword_kind(std::string_view word) {
  static const std::unordered_map<std::string_view, TokenKind> keywords = {
#define DS_KEYWORD(kind, word) {word, TokenKind::kind},
#include "frontend/syntax/token.def"
  };
  auto found = keywords.find(word);
  return found == keywords.end() ? TokenKind::Identifier : found->second;
}

TokenKind outer_keyword_kind(std::string_view word) {
  static const std::unordered_map<std::string_view, TokenKind> keywords = {
#define DS_OUTER_KEYWORD(kind, word) {word, TokenKind::kind},
#include "frontend/syntax/token.def"
  };
  auto found = keywords.find(word);
  return found == keywords.end() ? TokenKind::Identifier : found->second;
}

}  // namespace dscope
