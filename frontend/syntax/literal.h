// Values of integer constants and escape sequences (d-language.md 1.4, 1.5). These pure functions serve the lexer for
// the program's text and the parser for macro arguments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/syntax/ast_expressions.h"

namespace dscope {

enum class IntegerError : uint8_t { None, BadDigit, Overflow };

struct IntegerText {
  size_t length = 0;  // in bytes, with the suffix; 0: no integer here
  uint64_t value = 0;
  IntLiteralType type = IntLiteralType::Int;
  IntegerError error = IntegerError::None;
};

// Reads the integer constant at the start of `text`, with its suffix.
IntegerText scan_integer(std::string_view text);

enum class Radix : uint8_t { Decimal, Other };
// Sets `type` to the first type of the table in d-language.md 1.4 that can represent `value`. Returns false if no type
// can.
bool choose_integer_type(uint64_t value, Radix radix, bool has_u, int l_count, IntLiteralType& type);

// Returns the bytes of `quoted` text with its escapes processed. In character constants \' is two bytes.
std::string process_escapes(std::string_view quoted);

}  // namespace dscope
