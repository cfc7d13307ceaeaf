// The words after `-s SCRIPT` that a script with `#pragma D arg` takes for itself. Letters and names that it declares
// are its own; all others keep their meaning for dscope.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/script_options.h"
#include "support/result.h"

namespace dscope {

// Consumes the next word of the command line; null if there is none.
using NextWord = std::function<const char*()>;

class ScriptArguments {
 public:
  // Reads the declarations of a script. Files that cannot be read declare nothing: the compiler reports them. Only
  // regular files are read, because a pipe can be read once.
  Result<> add_script(const std::string& path);

  bool is_empty() const { return description_.options.empty(); }
  // Takes the first letter of `cluster`, and its value, if the script declares it. False if it is dscope's.
  Result<bool> take_letter(std::string_view& cluster, const NextWord& next_word);
  // As take_letter() for "--name" or "--name=value".
  Result<bool> take_name(std::string_view word, const NextWord& next_word);
  // Whether -h or --help was taken.
  bool wants_help() const { return wants_help_; }
  // Takes the operands, and fails if they are not those that the script declares.
  Result<> take_operands(const std::vector<std::string>& operands);

  // The text of an option, its default included; empty if there is none.
  std::string text_of(std::string_view name) const;
  const std::vector<ScriptValue>& values() const { return values_; }
  const ScriptDescription& description() const { return description_; }
  // "dscope-opensnoop" for an installed tool, else "dscope -s FILE".
  const std::string& command() const { return command_; }
  // The option that is spelled most like `name`, with its dashes; empty if none is near.
  std::string near_name(std::string_view name) const;

  // The lines for stderr.
  std::string error_text(const Error& error) const;

 private:
  const ScriptOption* find_name(std::string_view name) const;
  Result<> set(const ScriptOption& option, std::string_view text);
  std::string operand_hint(std::string_view operand) const;

  ScriptDescription description_;
  std::vector<ScriptValue> values_;
  std::string command_;
  bool wants_help_ = false;
};

// --help of a script: its first comment and its options.
std::string script_help_text(const ScriptDescription& description, std::string_view command);

}  // namespace dscope
