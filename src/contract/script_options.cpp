#include "contract/script_options.h"

#include <algorithm>
#include <limits>

#include "catalog/time_units.h"
#include "support/text/parse_integer.h"
#include "support/text/word_list.h"
#include "support/text/words.h"

namespace dscope {

namespace {

constexpr size_t max_options = 64;

struct CommonOption {
  char letter;
  std::string_view name, placeholder, default_text, help;
  bool is_of_dscope;
};

// The options that most tools share. A script declares them by their letters.
constexpr CommonOption common_options[] = {
    {'p', "pid", "PID", "", "trace only this process, until it ends", true},
    {'c', "command", "COMMAND", "", "run COMMAND, or the words after --, and trace only it and its children", true},
    {'n', "name", "NAME", "", "trace only processes with this name", false},
    {'C', "container", "NAME", "", "trace only processes in this container", false},
    {'K', "by-container", "", "", "name the container of each row, in tables in place of the program", false},
    {'T', "time", "", "", "print the time of each row", false},
    {'x', "errors", "", "", "show only failures", false},
    {'d', "duration", "TIME", "", "end after TIME, as in 10s or 500ms", false},
    {'i', "interval", "TIME", "", "print and start anew every TIME", false},
    {'t', "top", "N", "20", "print only the N largest", false},
};

// Placeholders of values that are not text.
struct PlaceholderKind {
  std::string_view placeholder;
  ScriptValueKind kind;
};
constexpr PlaceholderKind placeholder_kinds[] = {
    {"N", ScriptValueKind::Number},   {"PID", ScriptValueKind::Number}, {"PORT", ScriptValueKind::Number},
    {"UID", ScriptValueKind::Number}, {"FD", ScriptValueKind::Number},  {"TIME", ScriptValueKind::Time},
    {"SIZE", ScriptValueKind::Size},
};

// Macro variables of D, which options may not hide.
constexpr std::string_view reserved = "target ppid pgid sid uid euid gid egid projid taskid format help";

const CommonOption* find_common(char letter) {
  auto found = std::ranges::find(common_options, letter, &CommonOption::letter);
  return found == std::end(common_options) ? nullptr : &*found;
}

ScriptValueKind kind_of(std::string_view placeholder) {
  if (placeholder.empty()) return ScriptValueKind::Flag;
  for (const PlaceholderKind& row : placeholder_kinds)
    if (row.placeholder == placeholder) return row.kind;
  return ScriptValueKind::Text;
}

ScriptOption common_option(const CommonOption& row) {
  return {.letter = row.letter,
          .name = std::string(row.name),
          .placeholder = std::string(row.placeholder),
          .default_text = std::string(row.default_text),
          .help = std::string(row.help),
          .is_of_dscope = row.is_of_dscope,
          .kind = kind_of(row.placeholder)};
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_option_letter(std::string_view word) { return word.size() == 2 && word[0] == '-' && is_letter(word[1]); }

// Lower-case words joined by dashes.
bool is_option_name(std::string_view name) {
  if (name.empty() || name[0] < 'a' || name[0] > 'z' || name.ends_with('-')) return false;
  return std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

bool is_placeholder(std::string_view text) {
  if (text.empty() || text[0] < 'A' || text[0] > 'Z') return false;
  return std::ranges::all_of(text, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

std::string lower_case(std::string_view text) {
  std::string lower{text};
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// Splits off the string at the end.
Result<std::string> take_help(std::string_view& declaration) {
  size_t open = declaration.find('"');
  if (open == std::string_view::npos) return std::string{};
  size_t close = declaration.find('"', open + 1);
  if (close == std::string_view::npos) return fail(Error("the help text lacks its closing quote"));
  if (declaration.find_first_not_of(" \t\r\n", close + 1) != std::string_view::npos)
    return fail(Error("nothing may follow the help text"));
  std::string help{declaration.substr(open + 1, close - open - 1)};
  declaration = declaration.substr(0, open);
  return help;
}

// The last word of a declaration: VALUE or VALUE=DEFAULT, in brackets for an operand that may be missing.
Result<> set_value(ScriptOption& option, std::string_view word) {
  bool is_bracketed = word.starts_with('[') && word.ends_with(']');
  if (is_bracketed) word = word.substr(1, word.size() - 2);
  size_t equals = std::min(word.find('='), word.size());
  if (!is_placeholder(word.substr(0, equals)) || (is_bracketed && !option.is_operand))
    return fail(
        Error::make("`{}` is not the name of a value", word).hint("write it in capitals, as in `--min TIME=1ms`"));
  option.placeholder = word.substr(0, equals);
  option.kind = kind_of(option.placeholder);
  if (option.is_operand) option.name = lower_case(option.placeholder);
  option.is_required = option.is_operand && !is_bracketed && equals == word.size();
  if (equals < word.size()) option.default_text = word.substr(equals + 1);
  if (option.default_text.empty()) return {};
  return script_number(option, option.default_text).map([](uint64_t) {});
}

Result<ScriptOption> parse_declaration(std::vector<std::string_view> words, std::string help) {
  ScriptOption option;
  auto first = [&]() -> std::string_view { return words.empty() ? std::string_view{} : words.front(); };
  if (first().size() == 3 && first().ends_with(',') && is_option_letter(first().substr(0, 2))) {
    words.front().remove_suffix(1);
  }
  if (is_option_letter(first())) {
    const CommonOption* common = find_common(first()[1]);
    if (common != nullptr) option = common_option(*common);
    option.letter = first()[1];
    words.erase(words.begin());
  }
  if (first().starts_with("--")) {
    std::string_view name = first().substr(2);
    if (!is_option_name(name))
      return fail(Error::make("invalid option name `--{}`", name).hint("use lower-case letters, as in `--min-bytes`"));
    option = {.letter = option.letter, .name = std::string(name), .kind = ScriptValueKind::Flag};
    words.erase(words.begin());
  }
  option.is_operand = option.name.empty() && option.letter == 0;
  if (option.name.empty() && !option.is_operand)
    return fail(Error::make("-{} needs a name", option.letter).hint("write `-m, --min TIME`, with a long name"));
  if (words.size() > 1 || (words.empty() && option.is_operand))
    return fail(Error("expected [-LETTER,] [--NAME] [VALUE[=DEFAULT]] [\"HELP\"]"));
  if (!words.empty()) DS_TRY_VOID(set_value(option, words.front()));
  if (!help.empty()) option.help = std::move(help);
  return option;
}

// Characters of one time or size: digits, then a unit.
struct Quantity {
  uint64_t number = 0;
  std::string_view unit;
};
std::optional<Quantity> split_quantity(std::string_view text) {
  size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  auto number = parse_integer(text.substr(0, digits));
  if (!number) return std::nullopt;
  return Quantity{*number, text.substr(digits)};
}

std::optional<uint64_t> product(uint64_t a, uint64_t b) {
  if (b != 0 && a > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) / b) return std::nullopt;
  return a * b;
}

std::optional<uint64_t> time_value(std::string_view text) {
  auto quantity = split_quantity(text);
  if (!quantity) return std::nullopt;
  int64_t unit = nanoseconds_per_second;
  if (!quantity->unit.empty()) {
    auto known = nanoseconds_of_unit(quantity->unit);
    if (!known) return std::nullopt;
    unit = *known;
  }
  return product(quantity->number, static_cast<uint64_t>(unit));
}

std::optional<uint64_t> size_value(std::string_view text) {
  auto quantity = split_quantity(text);
  if (!quantity || quantity->unit.size() > 1) return std::nullopt;
  if (quantity->unit.empty()) return quantity->number;
  size_t power = std::string_view{"kmgt"}.find(lower_case(quantity->unit));
  if (power == std::string_view::npos) return std::nullopt;
  return product(quantity->number, uint64_t{1} << (10 * (power + 1)));
}

// The text between the first `/*` and `*/`, line by line without the decoration.
std::vector<std::string_view> comment_lines(std::string_view script) {
  size_t open = script.find("/*");
  size_t close = open == std::string_view::npos ? open : script.find("*/", open);
  std::vector<std::string_view> lines;
  if (close == std::string_view::npos) return lines;
  std::string_view comment = script.substr(open + 2, close - open - 2);
  while (!comment.empty()) {
    std::string_view line = split_front(comment, "\n");
    line.remove_prefix(std::min(line.find_first_not_of(" \t*"), line.size()));
    size_t end = line.find_last_not_of(" \t\r");
    lines.push_back(end == std::string_view::npos ? std::string_view{} : line.substr(0, end + 1));
  }
  return lines;
}

// The text after `#pragma D arg`; nothing for other lines.
std::optional<std::string_view> declaration_in(std::string_view line) {
  for (std::string_view word : {"#", "pragma", "D", "arg"}) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(word)) return std::nullopt;
    line.remove_prefix(word.size());
    if (word != "#" && !line.empty() && !is_blank(line.front())) return std::nullopt;
  }
  return line;
}

// Whether a block comment is open after `line`.
bool is_in_comment(std::string_view line, bool is_open) {
  for (;;) {
    size_t mark = line.find(is_open ? "*/" : "/*");
    if (mark == std::string_view::npos) return is_open;
    line.remove_prefix(mark + 2);
    is_open = !is_open;
  }
}

}  // namespace

std::string ScriptOption::macro() const {
  std::string text = name;
  std::ranges::replace(text, '-', '_');
  return text;
}

std::string ScriptOption::synopsis() const {
  if (is_operand) return is_required ? placeholder : fmt::format("[{}]", placeholder);
  std::string text = letter != 0 ? fmt::format("-{}", letter) : "";
  if (!is_of_dscope) text += fmt::format("{}--{}", text.empty() ? "" : ", ", name);
  return placeholder.empty() ? text : fmt::format("{} {}", text, placeholder);
}

Result<std::vector<ScriptOption>> parse_script_options(std::string_view declaration) {
  DS_TRY(std::string help, take_help(declaration));
  std::vector<std::string_view> words = parts_of(declaration, " \t\r\n");
  bool are_letters = help.empty() && !words.empty() && std::ranges::all_of(words, is_option_letter);
  std::vector<ScriptOption> options;
  if (!are_letters) {
    DS_TRY(ScriptOption option, parse_declaration(std::move(words), std::move(help)));
    options.push_back(std::move(option));
    return options;
  }
  for (std::string_view word : words) {
    const CommonOption* common = find_common(word[1]);
    if (common == nullptr)
      return fail(Error::make("{} is not a common option", word)
                      .hint(fmt::format("declare it with a name and a help text: `{}, --NAME \"HELP\"`", word)));
    options.push_back(common_option(*common));
  }
  return options;
}

Result<> add_script_options(std::vector<ScriptOption>& options, std::string_view declaration) {
  DS_TRY(std::vector<ScriptOption> added, parse_script_options(declaration));
  for (ScriptOption& option : added) {
    if (has_word(reserved, option.macro())) return fail(Error::make("the name `{}` is reserved", option.name));
    if (option.letter == 'h') return fail(Error("-h prints the help"));
    if (find_script_option(options, option.macro()) != nullptr)
      return fail(Error::make("`{}` is declared twice", option.name));
    bool is_taken = option.letter != 0 && std::ranges::count(options, option.letter, &ScriptOption::letter) != 0;
    if (is_taken) return fail(Error::make("-{} is declared twice", option.letter));
    if (options.size() >= max_options) return fail(Error::make("a script has at most {} options", max_options));
    options.push_back(std::move(option));
  }
  return {};
}

Result<ScriptDescription> describe_script(std::string_view script) {
  ScriptDescription description;
  bool is_commented = false;
  for (std::string_view rest = script; !rest.empty();) {
    std::string_view line = split_front(rest, "\n");
    auto declaration = is_commented ? std::nullopt : declaration_in(line);
    if (declaration) DS_TRY_VOID(add_script_options(description.options, *declaration));
    else is_commented = is_in_comment(line, is_commented);
  }
  if (description.options.empty()) return description;
  bool is_summary = true;
  for (std::string_view line : comment_lines(script)) {
    if (is_summary && !line.empty())
      description.summary += (description.summary.empty() ? "" : " ") + std::string(line);
    else if (!is_summary) description.notes.emplace_back(line);
    is_summary = is_summary && (!line.empty() || description.summary.empty());
  }
  while (!description.notes.empty() && description.notes.back().empty()) description.notes.pop_back();
  return description;
}

Result<uint64_t> script_number(const ScriptOption& option, std::string_view text) {
  std::optional<uint64_t> number;
  std::string_view expected;
  switch (option.kind) {
    case ScriptValueKind::Flag: return uint64_t{1};
    case ScriptValueKind::Text: return uint64_t{0};
    case ScriptValueKind::Number:
      number = parse_integer(text);
      if (number && *number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) number.reset();
      expected = "a number, as in 20";
      break;
    case ScriptValueKind::Time:
      number = time_value(text);
      expected = "a time, as in 10s, 500ms or 20us";
      break;
    case ScriptValueKind::Size:
      number = size_value(text);
      expected = "a size, as in 4096, 64k or 1m";
      break;
  }
  if (number) return *number;
  std::string name = option.is_operand ? option.placeholder : "--" + option.name;
  return fail(Error::make("invalid value '{}' of {}: expected {}", text, name, expected));
}

const ScriptOption* find_script_option(const std::vector<ScriptOption>& options, std::string_view macro) {
  auto found = std::ranges::find_if(options, [&](const ScriptOption& option) { return option.macro() == macro; });
  return found == options.end() ? nullptr : &*found;
}

}  // namespace dscope
