#include "driver/command_line/script_arguments.h"

#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "catalog/catalog.h"
#include "support/read_file.h"

namespace dscope {

namespace {

std::string command_of(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".d") ? "dscope -s " + path : name;
}

std::string help_row(std::string_view option, std::string_view help) {
  return fmt::format("  {:<22} {}\n", option, help);
}

std::string help_of(const ScriptOption& option) {
  if (option.default_text.empty() || option.help.find("default") != std::string::npos) return option.help;
  return fmt::format("{} (default {})", option.help, option.default_text);
}

// Breaks at blanks, for terminals of 80 columns.
std::string wrapped(std::string_view text) {
  constexpr size_t width = 79;
  std::string lines;
  while (text.size() > width) {
    size_t end = text.rfind(' ', width);
    if (end == std::string_view::npos) break;
    lines.append(text.substr(0, end)).append("\n");
    text.remove_prefix(end + 1);
  }
  return lines.append(text).append("\n");
}

// Each paragraph of the notes after an empty line.
std::string paragraphs(const std::vector<std::string>& lines) {
  std::string text, paragraph;
  auto end_paragraph = [&] {
    if (!paragraph.empty()) text += "\n" + wrapped(paragraph);
    paragraph.clear();
  };
  for (const std::string& line : lines) {
    if (line.empty()) end_paragraph();
    else paragraph += (paragraph.empty() ? "" : " ") + line;
  }
  end_paragraph();
  return text;
}

}  // namespace

Result<> ScriptArguments::add_script(const std::string& path) {
  struct stat file{};
  if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return {};
  auto text = read_file(path.c_str());
  if (!text) return {};
  auto added = describe_script(*text);
  // The compiler reports a mistake in a declaration, with its place.
  if (!added || added->options.empty()) return {};
  for (const ScriptOption& option : added->options)
    if (find_script_option(description_.options, option.macro()) != nullptr)
      return fail(Error::make("{}: an earlier script declares --{} too", path, option.name));
  if (command_.empty()) {
    command_ = command_of(path);
    description_.summary = std::move(added->summary);
    description_.notes = std::move(added->notes);
  }
  std::ranges::move(added->options, std::back_inserter(description_.options));
  return {};
}

Result<bool> ScriptArguments::take_letter(std::string_view& cluster, const NextWord& next_word) {
  char letter = cluster.front();
  if (!is_empty() && letter == 'h') wants_help_ = true;
  auto found = std::ranges::find(description_.options, letter, &ScriptOption::letter);
  bool is_taken = found != description_.options.end() && !found->is_of_dscope;
  if (is_taken || wants_help_) cluster.remove_prefix(1);
  if (!is_taken) return wants_help_;
  std::string_view value;
  if (found->kind != ScriptValueKind::Flag) {
    value = std::exchange(cluster, {});
    const char* word = value.empty() ? next_word() : nullptr;
    if (value.empty() && word == nullptr) return fail(Error::make("option requires an argument -- '{}'", letter));
    if (word != nullptr) value = word;
  }
  DS_TRY_VOID(set(*found, value));
  return true;
}

Result<bool> ScriptArguments::take_name(std::string_view word, const NextWord& next_word) {
  size_t equals = word.find('=');
  const ScriptOption* option = find_name(word.substr(0, equals).substr(2));
  if (option == nullptr) return false;
  bool has_value = equals != std::string_view::npos, is_flag = option->kind == ScriptValueKind::Flag;
  if (is_flag && has_value) return fail(Error::make("option '--{}' doesn't allow an argument", option->name));
  std::string_view value = has_value ? word.substr(equals + 1) : std::string_view{};
  if (!is_flag && !has_value) {
    const char* next = next_word();
    if (next == nullptr) return fail(Error::make("option '--{}' requires an argument", option->name));
    value = next;
  }
  DS_TRY_VOID(set(*option, value));
  return true;
}

const ScriptOption* ScriptArguments::find_name(std::string_view name) const {
  auto is_it = [&](const ScriptOption& option) {
    return !option.is_operand && !option.is_of_dscope && option.name == name;
  };
  auto found = std::ranges::find_if(description_.options, is_it);
  return found == description_.options.end() ? nullptr : &*found;
}

Result<> ScriptArguments::set(const ScriptOption& option, std::string_view text) {
  DS_TRY_VOID(script_number(option, text));
  std::erase_if(values_, [&](const ScriptValue& value) { return value.name == option.macro(); });
  values_.push_back({option.macro(), std::string(option.kind == ScriptValueKind::Flag ? "1" : text)});
  return {};
}

Result<> ScriptArguments::take_operands(const std::vector<std::string>& operands) {
  size_t next = 0;
  for (const ScriptOption& option : description_.options) {
    if (!option.is_operand) continue;
    if (next < operands.size()) DS_TRY_VOID(set(option, operands[next++]));
    else if (option.is_required) return fail(Error::make("{} is missing", option.placeholder));
  }
  if (next == operands.size()) return {};
  Error error = Error::make("unexpected argument '{}'", operands[next]);
  std::string hint = operand_hint(operands[next]);
  return fail(hint.empty() ? std::move(error) : std::move(error).hint(hint));
}

// The options that take a name, such as `operand` may be. "" if there are none.
std::string ScriptArguments::operand_hint(std::string_view operand) const {
  std::vector<std::string> uses;
  for (const ScriptOption& option : description_.options)
    if (option.placeholder == "NAME" && option.name != "container" && option.letter != 0 && option.default_text.empty())
      uses.push_back(fmt::format("-{} {}", option.letter, operand));
  if (uses.empty()) return "";
  if (uses.size() == 1 && find_name("name") != nullptr) return "to trace one program: " + uses.front();
  std::string last = std::move(uses.back());
  uses.pop_back();
  if (uses.empty()) return fmt::format("did you mean {}?", last);
  return fmt::format("did you mean {} or {}?", fmt::join(uses, ", "), last);
}

std::string ScriptArguments::text_of(std::string_view name) const {
  for (const ScriptValue& value : values_)
    if (value.name == name) return value.text;
  const ScriptOption* option = find_script_option(description_.options, name);
  return option != nullptr ? option->default_text : "";
}

std::string ScriptArguments::error_text(const Error& error) const {
  std::string name = command_.starts_with("dscope ") ? "dscope" : command_;
  std::string text = fmt::format("{}: {}\n", name, error.message());
  if (!error.hint_text().empty()) text += fmt::format("{}: hint: {}\n", name, error.hint_text());
  return text + fmt::format("Try '{} --help'.\n", command_);
}

std::string ScriptArguments::near_name(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const ScriptOption& option : description_.options)
    if (!option.is_operand && !option.is_of_dscope) names.push_back(option.name);
  std::string_view near = nearest_name(name, names);
  return near.empty() ? "" : fmt::format("--{}", near);
}

std::string script_help_text(const ScriptDescription& description, std::string_view command) {
  std::string usage, options, operands;
  for (const ScriptOption& option : description.options) {
    if (option.is_operand) usage += " " + option.synopsis();
    (option.is_operand ? operands : options) += help_row(option.synopsis(), help_of(option));
  }
  std::string text = wrapped(description.summary);
  text += fmt::format("\nUsage: {} [OPTIONS]{} [-- COMMAND ...]\n\n", command, usage);
  text += operands + options + help_row("-h, --help", "print this help");
  text +=
      "\nOptions of dscope work too: -o FILE, --format=json|csv|folded, --live,\n--report=FILE.html and others (man "
      "dscope)\n";
  return text + paragraphs(description.notes);
}

}  // namespace dscope
