// scan(): the tokens, comments and control lines of a D text that need not parse. The formatter prints them in the same
// order; the language server reads them to find where the cursor is. The scanner chooses the lexer's mode as the parser
// does (d-language.md 1.2), but from braces, slashes and semicolons alone: it neither knows types nor runs the
// preprocessor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/syntax/token.h"
#include "support/source.h"

namespace dscope {

enum class ItemKind : uint8_t {
  Token,
  LineComment,   // also the line `#!...`
  BlockComment,  // perhaps unterminated
  ControlLine,   // with all lines that a backslash continues
  Broken,        // text that is no token, up to the end of its line; only with OnBrokenText::Skip
};

// The construct that contains an item.
enum class Place : uint8_t {
  Outer,        // probe descriptions, and what separates constructs
  Declaration,  // from the first word to `;`: variables, types, inlines, translators, providers
  Predicate,    // from `/` to `/`
  Body,         // from `{` to `}`
};

struct ScannedItem {
  ItemKind kind{};
  TokenKind token = TokenKind::EndOfFile;  // of a Token
  Place place{};
  SourceRange range;             // offsets in the text
  uint32_t newlines_before = 0;  // between the previous item and this one
};

struct Scan {
  std::string text;
  std::vector<ScannedItem> items;
  // Where and why the lexer stopped first; nullopt if the whole text consists of tokens.
  std::optional<SourceRange> error;
  std::string error_message;

  std::string_view text_of(const ScannedItem& item) const {
    return std::string_view(text).substr(item.range.begin, item.range.end - item.range.begin);
  }
};

enum class OnBrokenText : uint8_t { Stop, Skip };

// Skip: continues on the next line, and takes a line that begins with a probe description for the start of a clause
// even if a brace is still open.
Scan scan(std::string text, OnBrokenText on_broken);

}  // namespace dscope
