// MacroExpander: replaces macro arguments, macro variables and options of the script: $1, $$1, $pid, $$pid, $top
// (d-language.md 1.7).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/syntax/parser.h"

namespace dscope {

class TokenReader;

class MacroExpander {
 public:
  MacroExpander(const SourceUnit& source, const ParseContext& context, const ParseOptions& options, TokenReader& tokens)
      : source_(source), context_(context), options_(options), tokens_(tokens) {}

  Token expand(Token macro);
  // Replaces the macro in pid$target`foo and pid$1`foo with its number; pid`foo stands for pid$target`foo.
  Token expand_process_word(Token word);

  // Returns argument `index` of the command line; null if there is none. Libraries have no arguments.
  const std::string* find_argument(uint64_t index);
  // Returns the value of $NAME; nullopt if there is no such variable.
  std::optional<uint64_t> find_variable(std::string_view name) const;
  // Declares options by the text after `#pragma D arg`. From here on they hide macro variables and process variables.
  Result<> declare_options(std::string_view declaration) { return add_script_options(declared_, declaration); }
  bool has_options() const { return !declared_.empty(); }
  const ScriptOption* find_option(std::string_view name) const { return find_script_option(declared_, name); }
  // The value of a declared option as text; null if it was not set and has no default.
  const std::string* find_option_text(const ScriptOption& option) const;

  // Whether the program referred to the last argument (D_MACRO_UNUSED).
  bool is_last_argument_used() const { return is_last_argument_used_; }

 private:
  Token expand_argument(Token macro);
  Token expand_variable(Token macro);
  Token expand_option(Token macro, const ScriptOption& option);
  bool names_traced_variable(const Token& macro) const;
  Token relex(Token macro, std::string_view text);

  const SourceUnit& source_;
  const ParseContext& context_;
  const ParseOptions& options_;
  TokenReader& tokens_;
  std::vector<ScriptOption> declared_;
  bool is_last_argument_used_ = false;
};

}  // namespace dscope
