#include "driver/shell/shell_completion.h"

#include <dirent.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>

#include "catalog/option_words.h"
#include "driver/command_line/letters.h"
#include "driver/language/cursor.h"
#include "driver/language/probe_index.h"
#include "driver/shell/long_options.h"
#include "driver/shell/script_completion.h"
#include "support/read_file.h"

namespace dscope {

namespace {

using HostMaker = std::function<std::unique_ptr<Host>()>;

class CommandCompleter {
 public:
  CommandCompleter(std::span<const std::string> words, const HostMaker& make_host)
      : words_(words), make_host_(make_host) {}

  ShellCompletion run();

 private:
  // The kinds of words that may stand at the cursor, behind the words before it.
  struct Expected {
    bool is_command_word = false;  // behind --
    bool is_command = false;       // the command behind --
    const LetterRow* letter = nullptr;
    const LongOptionRow* option = nullptr;
  };
  Expected find_expected() const;
  void complete_letter(const LetterRow& letter, const std::string& prefix, const std::string& value);
  void complete_long(const LongOptionRow& option, const std::string& prefix, const std::string& value);
  void complete_setting(const std::string& prefix, const std::string& value);
  void complete_program(const std::string& prefix, const std::string& program);
  void complete_first_field(const std::string& prefix, const std::string& value, ProbeField field);
  void complete_processes(const std::string& prefix, const std::string& value);
  void complete_list(const std::string& prefix, const std::string& value, std::string_view words, bool is_list);
  void complete_options(const std::string& word);

  void add(const std::string& prefix, std::string_view typed, std::string_view text,
           std::string_view description = {}) {
    if (text.starts_with(typed)) result_.candidates.push_back({prefix + std::string(text), std::string(description)});
  }

  std::span<const std::string> words_;
  const HostMaker& make_host_;
  ShellCompletion result_;
};

// The letter of a cluster such as -qn whose argument is the next word, or the rest of this one.
struct ClusterEnd {
  const LetterRow* letter = nullptr;
  size_t argument_begin = 0;  // in the word
};

ClusterEnd find_cluster_end(std::string_view word) {
  for (size_t i = 1; i < word.size(); ++i) {
    const LetterRow* row = find_letter(word[i]);
    if (row == nullptr) return {};
    if (!row->argument.empty()) return {row, i + 1};
  }
  return {};
}

CommandCompleter::Expected CommandCompleter::find_expected() const {
  Expected expected;
  for (size_t i = 1; i + 1 < words_.size(); ++i) {
    std::string_view word = words_[i];
    if (expected.is_command_word) {
      expected.is_command = false;
      continue;
    }
    bool is_argument = expected.letter != nullptr || expected.option != nullptr;
    expected = {};
    if (is_argument) continue;
    if (word == "--") {
      expected.is_command_word = expected.is_command = true;
    } else if (word.starts_with("--")) {
      const LongOptionRow* row = find_long_option(word);
      if (row != nullptr && row->value == LongValue::Required) expected.option = row;
    } else if (word.starts_with("-")) {
      ClusterEnd end = find_cluster_end(word);
      if (end.letter != nullptr && end.argument_begin == word.size()) expected.letter = end.letter;
    }
  }
  return expected;
}

// ---------------------------------------------------------------- values

void CommandCompleter::complete_list(const std::string& prefix, const std::string& value, std::string_view words,
                                     bool is_list) {
  size_t comma = is_list ? value.rfind(',') : std::string::npos;
  std::string before = comma == std::string::npos ? "" : value.substr(0, comma + 1);
  std::string typed = value.substr(before.size());
  while (!words.empty()) {
    std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    add(prefix + before, typed, word);
  }
}

// NAME or NAME=VALUE of -x.
void CommandCompleter::complete_setting(const std::string& prefix, const std::string& value) {
  size_t equals = value.find('=');
  if (equals != std::string::npos) {
    const OptionRow* option = find_option(value.substr(0, equals));
    if (option == nullptr) return;
    std::string_view typed = std::string_view(value).substr(equals + 1);
    for (const std::string& word : option_words(*option)) add(prefix + value.substr(0, equals + 1), typed, word);
    return;
  }
  for (std::string_view name : all_option_names()) {
    const OptionRow& option = *find_option(name);
    if (!has_effect(option)) continue;
    bool takes_value = option.kind != OptionKind::Flag && option.kind != OptionKind::Bool;
    add(prefix, value, takes_value ? std::string(name) + "=" : std::string(name), option.help);
  }
  result_.continues =
      std::ranges::any_of(result_.candidates, [](const ShellCandidate& each) { return each.text.ends_with('='); });
}

void CommandCompleter::complete_processes(const std::string& prefix, const std::string& value) {
  DIR* directory = ::opendir("/proc");
  if (directory == nullptr) return;
  while (const dirent* entry = ::readdir(directory)) {
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) == 0) continue;
    auto name = read_file(fmt::format("/proc/{}/comm", entry->d_name).c_str());
    std::string text = name ? *name : "";
    add(prefix, value, entry->d_name, text.substr(0, text.find('\n')));
  }
  ::closedir(directory);
}

// -P PROVIDER, -m MODULE, -f FUNCTION: the last field may stand alone.
void CommandCompleter::complete_first_field(const std::string& prefix, const std::string& value, ProbeField field) {
  if (field == ProbeField::Provider || value.find(':') != std::string::npos) return complete_program(prefix, value);
  ProbeIndex index(*make_host_());
  constexpr size_t max_values = 500;
  for (const ProbeIndex::Value& each : index.complete({}, field, value, max_values).values)
    add(prefix, value, each.text, fmt::format("{} probes", each.probe_count));
}

// The description at the end of a program: `syscall::op`, `BEGIN { } syscall:`.
void CommandCompleter::complete_program(const std::string& prefix, const std::string& program) {
  Cursor cursor = find_cursor(program, static_cast<uint32_t>(program.size()));
  if (cursor.kind != CursorKind::Description) return;
  std::string before = prefix + program.substr(0, cursor.begin);
  ProbeFields fields;
  for (size_t i = 0; i < 4; ++i) fields.field[i] = cursor.fields[i];
  constexpr size_t max_values = 500;
  std::unique_ptr<Host> host = make_host_();
  // Other providers need not list their probes.
  ProbeIndex index;
  ProbeDescription wanted{.id = {}, .provider = cursor.fields[0], .module = {}, .function = {}, .name = {}};
  wanted.is_for_listing = true;
  for (const Probe* probe : host->match(wanted))
    index.add(probe->provider, probe->module, probe->function, probe->name);
  bool is_last = cursor.field == ProbeField::Name;
  bool has_modules = false;
  for (const ProbeIndex::Value& each : index.complete(fields, cursor.field, cursor.prefix, max_values).values) {
    add(before, cursor.prefix, std::string(each.text) + (is_last ? "" : ":"),
        fmt::format("{} probes", each.probe_count));
    has_modules = true;
  }
  if (cursor.field == ProbeField::Provider)
    for (std::string_view name : {"BEGIN", "END", "tick-1s", "profile-997"}) add(before, cursor.prefix, name);
  result_.continues = !is_last && has_modules;
}

void CommandCompleter::complete_letter(const LetterRow& letter, const std::string& prefix, const std::string& value) {
  switch (letter.letter) {
    case 'n': return complete_program(prefix, value);
    case 'P': return complete_first_field(prefix, value, ProbeField::Provider);
    case 'm': return complete_first_field(prefix, value, ProbeField::Module);
    case 'f': return complete_first_field(prefix, value, ProbeField::Function);
    case 'x': return complete_setting(prefix, value);
    case 'X': return complete_list(prefix, value, "a c s t", false);
    case 'p': return complete_processes(prefix, value);
    case 's': result_.files = ShellFiles::Scripts; return;
    case 'o': result_.files = ShellFiles::Files; return;
    case 'c': result_.files = ShellFiles::Commands; return;
    case 'L':
    case 'I': result_.files = ShellFiles::Directories; return;
    default: return;
  }
}

void CommandCompleter::complete_long(const LongOptionRow& option, const std::string& prefix, const std::string& value) {
  if (!option.words.empty()) complete_list(prefix, value, option.words, option.is_list);
  if (option.takes_file) result_.files = ShellFiles::Files;
}

// ---------------------------------------------------------------- options

void CommandCompleter::complete_options(const std::string& word) {
  for (const LetterRow& row : letter_rows)
    if (row.group != LetterGroup::Hidden && word.size() < 2) add("", word, fmt::format("-{}", row.letter), row.help);
  for (const LongOptionRow& row : long_option_rows) {
    bool takes_value = row.value == LongValue::Required;
    add("", word, fmt::format("{}{}", row.name, takes_value ? "=" : ""), row.help);
  }
  bool all_continue =
      std::ranges::all_of(result_.candidates, [](const ShellCandidate& each) { return each.text.ends_with('='); });
  result_.continues = !result_.candidates.empty() && all_continue;
}

ShellCompletion CommandCompleter::run() {
  if (words_.size() < 2) return std::move(result_);
  const std::string& word = words_.back();
  std::optional<ScriptWords> script = find_script(words_);
  if (script && words_.size() > script->first && complete_script_word(*script, words_, result_))
    return std::move(result_);
  Expected expected = find_expected();
  if (expected.is_command_word) {
    result_.files = expected.is_command ? ShellFiles::Commands : ShellFiles::Files;
  } else if (expected.letter != nullptr) {
    complete_letter(*expected.letter, "", word);
  } else if (expected.option != nullptr) {
    complete_long(*expected.option, "", word);
  } else if (word.starts_with("--") && word.find('=') != std::string::npos) {
    size_t value = word.find('=') + 1;
    if (const LongOptionRow* row = find_long_option(word.substr(0, value - 1)))
      complete_long(*row, word.substr(0, value), word.substr(value));
  } else if (word.starts_with("-") && !word.starts_with("--") && find_cluster_end(word).letter != nullptr) {
    ClusterEnd end = find_cluster_end(word);
    complete_letter(*end.letter, word.substr(0, end.argument_begin), word.substr(end.argument_begin));
  } else if (word.starts_with("-")) {
    complete_options(word);
  } else {
    bool formats = words_[1].starts_with("--fmt") && words_.size() > 2;
    result_.files = formats ? ShellFiles::Scripts : ShellFiles::Files;
  }
  return std::move(result_);
}

std::string_view name_of(ShellFiles files) {
  switch (files) {
    case ShellFiles::None: return "none";
    case ShellFiles::Files: return "files";
    case ShellFiles::Scripts: return "scripts";
    case ShellFiles::Directories: return "directories";
    case ShellFiles::Commands: return "commands";
  }
  return {};
}

}  // namespace

ShellCompletion complete_command_line(std::span<const std::string> words, const HostMaker& make_host) {
  return CommandCompleter(words, make_host).run();
}

Result<int> print_completions(std::span<const char* const> words, const HostMaker& make_host) {
  std::vector<std::string> texts(words.begin(), words.end());
  ShellCompletion completion = complete_command_line(texts, make_host);
  std::string output = fmt::format("{}{}\n", name_of(completion.files), completion.continues ? " continues" : "");
  for (const ShellCandidate& candidate : completion.candidates)
    output += candidate.text + (candidate.description.empty() ? "" : "\t" + candidate.description) + "\n";
  std::fputs(output.c_str(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace dscope
