// ControlLines: applies control lines, which are `#` and blank-separated words up to the newline (d-language.md 8.1).
// Pragmas for later phases become nodes in source order; all others take effect here.
#pragma once

#include <string>
#include <vector>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/parser.h"

namespace dscope {

class MacroExpander;
class TokenReader;

// One blank-separated word of a control line.
struct ControlWord {
  enum class Kind : uint8_t { Integer, String, Word };
  Kind kind{};
  std::string text;  // without quotes, escapes processed
};

class ControlLines {
 public:
  // Appends the pragmas for later phases to `unit`.
  ControlLines(ProgramUnit& unit, const SourceUnit& source, const ParseContext& context, Diagnostics& diagnostics,
               TokenReader& tokens, MacroExpander& macros)
      : unit_(unit), source_(source), context_(context), diagnostics_(diagnostics), tokens_(tokens), macros_(macros) {}

  void apply(const Token& line);
  // Whether the last token lies in an included file.
  bool in_header() const { return header_depth_ > 0; }

 private:
  void line_directive(const Token& line, const std::vector<ControlWord>& words, size_t first);
  void error_directive(const Token& line, const std::vector<ControlWord>& words, size_t first);
  void pragma(const Token& line, const std::vector<ControlWord>& words);
  void pragma_d(const Token& line, std::vector<ControlWord> words);
  bool check_pragma_shape(const Token& line, const std::vector<ControlWord>& words);
  void pragma_option(const Token& line, const std::vector<ControlWord>& words);
  void pragma_arg(const Token& line);
  void pragma_depends_on(const Token& line, const std::vector<ControlWord>& words);
  void keep_pragma(const Token& line, const std::vector<ControlWord>& words);

  ProgramUnit& unit_;
  const SourceUnit& source_;
  const ParseContext& context_;
  Diagnostics& diagnostics_;
  TokenReader& tokens_;
  MacroExpander& macros_;
  uint32_t header_depth_ = 0;  // the number of included files around the last token
};

}  // namespace dscope
