// The options that a script declares for its own command line by `#pragma D arg` (dscope-d(7)). The driver reads the
// declarations before it compiles, for the command line and --help. The parser reads them again, for `$name`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dscope {

// Flag: takes no value. Time: in ns; a number without a unit counts seconds. Size: in bytes. Text: any word.
enum class ScriptValueKind : uint8_t { Flag, Number, Time, Size, Text };

struct ScriptOption {
  char letter = 0;           // 0: none
  std::string name;          // without dashes; of an operand, its placeholder in lower case
  std::string placeholder;   // "PID" in --help; empty for flags
  std::string default_text;  // empty: no default
  std::string help;
  bool is_operand = false;    // a word without a dash
  bool is_required = false;   // an operand that must be present
  bool is_of_dscope = false;  // -p and -c: dscope itself handles them
  ScriptValueKind kind = ScriptValueKind::Text;

  // The name after `$` in the program.
  std::string macro() const;
  // "-n, --name NAME"
  std::string synopsis() const;
};

// A value from the command line, as text.
struct ScriptValue {
  std::string name;  // ScriptOption::macro()
  std::string text;
  bool operator==(const ScriptValue&) const = default;
};

// The text after `#pragma D arg`: letters of common options (`-p -n -c`), or one declaration.
Result<std::vector<ScriptOption>> parse_script_options(std::string_view declaration);

// Appends the options of one declaration. Rejects a letter or a name that `options` already has.
Result<> add_script_options(std::vector<ScriptOption>& options, std::string_view declaration);

struct ScriptDescription {
  std::vector<ScriptOption> options;
  std::string summary;             // the text of the first comment up to an empty line, in one line
  std::vector<std::string> notes;  // its other lines
};

// Reads the declarations of a whole script. Options are empty if the script declares none.
Result<ScriptDescription> describe_script(std::string_view script);

// The value as a number: 1 for a flag, nanoseconds, bytes; 0 for text. Fails if the text is not a value of the option.
Result<uint64_t> script_number(const ScriptOption& option, std::string_view text);

// The option of this name, or null.
const ScriptOption* find_script_option(const std::vector<ScriptOption>& options, std::string_view macro);

}  // namespace dscope
