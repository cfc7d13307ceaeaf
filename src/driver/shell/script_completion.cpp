#include "driver/shell/script_completion.h"

#include <unistd.h>

#include <cstdlib>

#include "driver/compile/library_files.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

// The file that the shell would execute for a command.
std::string command_path(const std::string& command) {
  if (command.find('/') != std::string::npos) return command;
  const char* path = std::getenv("PATH");
  for (std::string_view folder : parts_of(path != nullptr ? path : "", ":"))
    if (std::string file = fmt::format("{}/{}", folder, command); ::access(file.c_str(), R_OK) == 0) return file;
  return {};
}

struct ScriptPlace {
  std::string path;
  size_t first = 0;
};

// dscope-opensnoop WORD, dscope -qs opensnoop.d WORD
ScriptPlace find_script_place(std::span<const std::string> words) {
  if (words.empty()) return {};
  std::string_view name = file_name(words[0]);
  if (name != "dscope" && name != "dtrace" && name != "dscope-language") return {command_path(words[0]), 1};
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") break;
    bool is_cluster = word.size() > 1 && word[0] == '-' && word[1] != '-';
    if (is_cluster && word.back() == 's' && i + 2 < words.size()) return {words[i + 1], i + 2};
    if (word.starts_with("-s") && word.size() > 2) return {word.substr(2), i + 1};
  }
  return {};
}

const ScriptOption* find_word(const ScriptDescription& script, std::string_view word) {
  for (const ScriptOption& option : script.options) {
    if (option.is_operand) continue;
    if (word.size() == 2 && word[0] == '-' && word[1] == option.letter) return &option;
    if (!option.name.empty() && word == fmt::format("--{}", option.name)) return &option;
  }
  return nullptr;
}

}  // namespace

std::optional<ScriptWords> find_script(std::span<const std::string> words) {
  ScriptPlace place = find_script_place(words);
  if (place.path.empty()) return std::nullopt;
  auto text = read_text(place.path);
  if (!text || text->find("#pragma D arg") == std::string::npos) return std::nullopt;
  auto script = describe_script(*text);
  if (!script || script->options.empty()) return std::nullopt;
  return ScriptWords{.script = std::move(*script), .first = place.first};
}

bool complete_script_word(const ScriptWords& script, std::span<const std::string> words, ShellCompletion& out) {
  const std::string& word = words.back();
  const std::string& before = words[words.size() - 2];
  const ScriptOption* expected = words.size() - 1 > script.first ? find_word(script.script, before) : nullptr;
  if (expected != nullptr && expected->kind != ScriptValueKind::Flag) {
    if (expected->is_of_dscope) return false;
    if (!expected->default_text.empty() && expected->default_text.starts_with(word))
      out.candidates.push_back({expected->default_text, expected->help});
    return true;
  }
  if (!word.starts_with("-")) return false;
  for (const ScriptOption& option : script.script.options) {
    if (option.is_operand) continue;
    std::string letter = fmt::format("-{}", option.letter != 0 ? option.letter : '-');
    if (option.letter != 0 && letter.starts_with(word)) out.candidates.push_back({letter, option.help});
    std::string name = fmt::format("--{}{}", option.name, option.kind == ScriptValueKind::Flag ? "" : "=");
    bool has_name = !option.name.empty() && !option.is_of_dscope;
    if (has_name && name.starts_with(word)) out.candidates.push_back({name, option.help});
  }
  if (std::string_view("--help").starts_with(word))
    out.candidates.push_back({"--help", "what the script does, and its options"});
  out.continues = out.candidates.size() == 1 && out.candidates[0].text.ends_with('=');
  return true;
}

}  // namespace dscope
