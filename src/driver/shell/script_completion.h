// Completion of the options that scripts declare by `#pragma D arg`: `dscope -s slow.d --m`, `dscope-opensnoop --n`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contract/script_options.h"
#include "driver/shell/shell_completion.h"

namespace dscope {

// The script of a command line, and the index of the first word behind it.
struct ScriptWords {
  ScriptDescription script;
  size_t first = 0;
};

// words: as for complete_command_line(). nullopt if they run no script that declares options.
std::optional<ScriptWords> find_script(std::span<const std::string> words);

// Completes the last word, an option of the script or its value. False if neither belongs there: the word is one of
// dscope's own options or an operand.
bool complete_script_word(const ScriptWords& script, std::span<const std::string> words, ShellCompletion& out);

}  // namespace dscope
