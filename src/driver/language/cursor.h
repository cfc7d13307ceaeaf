// Where the cursor is in a D text that is being typed: which kind of name belongs there, and the text around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "driver/language/probe_index.h"
#include "frontend/scan/scan.h"

namespace dscope {

enum class CursorKind : uint8_t {
  Nothing,      // in a comment, a string or a number
  Description,  // a field of a probe description
  Member,       // after `.` or `->`
  Name,         // an expression or a statement
  Type,         // after struct, union, enum, `xlate <`, or where a declaration begins
  Aggregation,  // after `@`
  Macro,        // after `$`
  PragmaWord,   // after `#pragma D`
  OptionName,   // after `#pragma D option`
  OptionValue,  // after `#pragma D option NAME=`
};

// The call whose arguments contain the cursor.
struct CursorCall {
  std::string function;
  uint32_t argument = 0;  // index
};

struct Cursor {
  CursorKind kind = CursorKind::Nothing;
  std::string prefix;       // the part of the name before the cursor
  uint32_t begin = 0;       // offset of the prefix: completion replaces from here to the cursor
  ProbeField field{};       // Description
  std::string fields[4];    // Description: those before the cursor
  std::string option;       // OptionValue: its name
  std::string tag_keyword;  // Type: struct, union or enum
  std::optional<CursorCall> call;
};

// offset: of the cursor in `text`, at most its size.
Cursor find_cursor(std::string_view text, uint32_t offset);

// Returns `text` up to the member that begins at `offset`, with the member's name replaced by `member` and every open
// bracket closed, so that it parses; without the text behind it.
std::string close_text(std::string_view text, uint32_t offset, std::string_view member);

// The word of letters, digits and underscores around an offset; also the whole description, aggregation or option.
struct WordAt {
  std::string text;
  SourceRange range;
};
WordAt word_at(std::string_view text, uint32_t offset);

}  // namespace dscope
