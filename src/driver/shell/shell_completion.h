// dscope --complete: completes a command line for bash, zsh and fish, so that the three know the same. Their scripts in
// packaging/completions call it at each press of the tab key.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/host.h"
#include "support/result.h"

namespace dscope {

struct ShellCandidate {
  std::string text;         // replaces the whole word
  std::string description;  // in one line; may be empty
};

// The files that the shell completes by itself, besides the candidates.
enum class ShellFiles : uint8_t { None, Files, Scripts, Directories, Commands };

struct ShellCompletion {
  std::vector<ShellCandidate> candidates;
  ShellFiles files = ShellFiles::None;
  bool continues = false;  // no blank belongs after the word: a value or a further field follows
};

// words: the command line; the last word is the one at the cursor, perhaps empty. make_host: called if probes must be
// known.
ShellCompletion complete_command_line(std::span<const std::string> words,
                                      const std::function<std::unique_ptr<Host>()>& make_host);

// Prints one candidate a line, with its description behind a tab. The first line is `files`, `scripts`,
// `directories`, `commands` or `none`, and ` continues` if no blank belongs behind the word.
Result<int> print_completions(std::span<const char* const> words,
                              const std::function<std::unique_ptr<Host>()>& make_host);

}  // namespace dscope
