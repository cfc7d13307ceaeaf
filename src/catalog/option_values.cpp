// Parses option values by the syntaxes and limits of d-language.md 9 and consumer-and-actions.md 8.
#include "catalog/option_values.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>

#include "catalog/cpu_share.h"
#include "catalog/option_numbers.h"
#include "catalog/option_words.h"
#include "catalog/time_units.h"
#include "support/text/word_list.h"
#include "support/text/words.h"

#include "catalog/stability.h"
#include "catalog/version.h"

namespace dscope {

namespace {

constexpr OptionRow options[] = {
#define DS_OPTION(id, name, when, kind, default_value, release, help) \
  {OptionId::id, name, OptionWhen::when, OptionKind::kind, default_value, Release::release, help},
#include "catalog/options.def"
#undef DS_OPTION
};

// Text options that take one of a few words. dscope knows the `later` words, but rejects them.
struct WordRule {
  OptionId id;
  std::string_view words, later, default_word;
};
constexpr WordRule word_rules[] = {
    {OptionId::Bufpolicy, "switch fill ring", "", "switch"},
    {OptionId::Bufresize, "auto manual", "", "auto"},
    {OptionId::Compat, "solaris", "", ""},
    {OptionId::Diagnostics, "classic full", "", ""},
    {OptionId::Encoding, "ascii utf8", "", "ascii"},
    {OptionId::Evaltime, "exec preinit postinit main", "", "postinit"},
    {OptionId::Follow, "none fork exec fork,exec exec,fork", "", "none"},
    {OptionId::Format, "text json csv folded svg pprof speedscope", "", "text"},
    {OptionId::Late, "dynamic static", "", "dynamic"},
    {OptionId::Linkmode, "kernel dynamic static", "", "kernel"},
    {OptionId::Linktype, "elf dof", "", "elf"},
    {OptionId::Oformat, "json xml html", "xml html", ""},
    {OptionId::Printform, "classic compact", "", "classic"},
    {OptionId::Stdc, "a c s t", "", "a"},
    {OptionId::Threads, "kernel goroutines", "", "kernel"},
    {OptionId::Ustackunwind, "auto fp dwarf tables", "", "auto"},
};

// The range of valid numbers.
struct NumberRule {
  OptionId id;
  int64_t min, max;
};
constexpr NumberRule number_rules[] = {
    {OptionId::Disasm, 0, 15},
    {OptionId::Iregs, 1, 8},
    {OptionId::Metricseries, 1, 1'000'000},
    {OptionId::Ringcpus, 0, 65536},
    {OptionId::Scratchsize, 0, int64_t{1} << 30},  // BPF programs use 32-bit offsets into it
    {OptionId::Strsize, 2, no_limit},
    {OptionId::Tree, 0, 15},
    {OptionId::Ustacksize, 1 << 10, 64 << 10},
};

// Repeatable text options, whose values accumulate.
constexpr OptionId list_options[] = {OptionId::Cppargs, OptionId::Define, OptionId::Incdir, OptionId::Libdir,
                                     OptionId::Metric,  OptionId::Setenv, OptionId::Undef,  OptionId::Unsetenv};

// The options that become arguments of the C preprocessor.
constexpr std::pair<OptionId, std::string_view> preprocessor_flags[] = {
    {OptionId::Define, "-D"}, {OptionId::Undef, "-U"}, {OptionId::Incdir, "-I"}, {OptionId::Cpphdrs, "-H"}};

// Setting one of a pair clears the other.
constexpr std::pair<OptionId, OptionId> opposites[] = {{OptionId::Kdefs, OptionId::Knodefs},
                                                       {OptionId::Udefs, OptionId::Unodefs}};

template <typename Rule, size_t N>
const Rule* find_rule(const Rule (&rules)[N], OptionId id) {
  auto found = std::find_if(std::begin(rules), std::end(rules), [&](const Rule& rule) { return rule.id == id; });
  return found == std::end(rules) ? nullptr : found;
}

// Returns the number to store for an option of any kind but Text.
Result<int64_t> parse_value(const OptionRow& row, std::string_view value, bool has_value) {
  bool is_run_time = row.when != OptionWhen::Compile && row.when != OptionWhen::CompileCommandLine;
  switch (row.kind) {
    case OptionKind::Flag:
      if (has_value) return invalid_value();
      return 1;
    case OptionKind::Bool: return has_value ? parse_bool(value) : Result<int64_t>{1};
    case OptionKind::Number:
      // Run-time numbers also accept the words of bools, because every DTrace parses both with one function.
      if (is_run_time) return has_value ? parse_bool(value) : Result<int64_t>{0};
      if (!has_value) return invalid_value();
      return parse_number(value);
    case OptionKind::Size:
      if (row.id == OptionId::Printsize) return parse_printsize(has_value ? value : "0");
      if (!has_value) return invalid_value();
      if (row.id == OptionId::Strsize) return parse_strsize(value);
      if (row.id == OptionId::Pcapsize) return parse_pcapsize(value);
      if (row.id == OptionId::Lockmem && value == "unlimited") return no_limit;
      return parse_size(value);
    case OptionKind::Rate:
      if (!has_value) return invalid_value();
      return parse_rate(value);
    case OptionKind::Duration:
      if (!has_value) return invalid_value();
      return parse_duration(value);
    case OptionKind::Share:
      if (!has_value) return invalid_value();
      if (auto share = parse_cpu_share(value)) return *share;
      return invalid_value();
    case OptionKind::Text: break;
  }
  return invalid_value();
}

// A later setting may only lower the version: names that an earlier setting removed do not come back.
Result<> check_version(std::string_view text, std::string_view earlier) {
  DS_TRY(Version version, parse_version(text));
  if (!is_released(version)) return fail(Error{"Requested version is not supported by compiler"});
  auto before = parse_version(earlier);
  if (before && *before < version) return fail(Error{"Requested version conflicts with earlier setting"});
  return {};
}

Error unavailable(const OptionRow& row, Release release, std::string_view value) {
  std::string setting{row.name};
  if (!value.empty()) setting += fmt::format("={}", value);
  return Error::make("option `{}` {}", setting, unavailable_text(release));
}

Result<> check_text(const OptionRow& row, std::string_view value, std::string_view earlier) {
  if (row.id == OptionId::Version) return check_version(value, earlier);
  if (row.id == OptionId::Setenv && value.find('=') == std::string_view::npos) return invalid_value();
  if (row.id == OptionId::Amin && !parse_attributes(value)) return invalid_value();
  bool names_file = row.id == OptionId::Ctypes || row.id == OptionId::Dtypes;
  if (names_file && value.empty()) return invalid_value();
  const WordRule* rule = find_rule(word_rules, row.id);
  if (rule && !has_word(rule->words, value)) return invalid_value();
  if (rule && has_word(rule->later, value)) return fail(unavailable(row, Release::Later, value));
  return {};
}

Result<> check_origin(const OptionRow& row, OptionOrigin origin) {
  bool is_command_line_only = row.when == OptionWhen::CompileCommandLine || row.when == OptionWhen::RunCommandLine;
  if (origin == OptionOrigin::Pragma && is_command_line_only)
    return fail(Error{"Option cannot be used from within a D program"});
  if (origin == OptionOrigin::Setopt && row.when != OptionWhen::Dynamic)
    return fail(Error{"Operation illegal when tracing is active"});
  return {};
}

}  // namespace

const OptionRow& row(OptionId id) { return options[static_cast<size_t>(id)]; }

const OptionRow* find_option(std::string_view name) {
  for (const OptionRow& option : options)
    if (option.name == name) return &option;
  return nullptr;
}

const std::vector<std::string_view>& all_option_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const OptionRow& option : options) all.push_back(option.name);
    return all;
  }();
  return names;
}

namespace {

std::string joined_words(std::string_view words) {
  std::string text;
  for (char c : words) text += c == ' ' ? std::string(", ") : std::string(1, c);
  return text;
}

std::string text_hint(const OptionRow& row) {
  const WordRule* rule = find_rule(word_rules, row.id);
  if (rule != nullptr) return fmt::format("one of {}", joined_words(rule->words));
  if (row.id == OptionId::Version) return "a released version of D, as in 1.6.4 or 2.0";
  if (row.id == OptionId::Amin) return "stabilities and a class, as in Evolving/Evolving/Common";
  return "text";
}

std::string value_hint(const OptionRow& row) {
  const NumberRule* rule = find_rule(number_rules, row.id);
  switch (row.kind) {
    case OptionKind::Flag: return "no value";
    case OptionKind::Bool: return "on or off";
    case OptionKind::Number:
      return rule != nullptr ? fmt::format("a number from {} to {}", rule->min, rule->max) : "a number";
    case OptionKind::Size:
      if (rule != nullptr && rule->max != no_limit) return fmt::format("a size of at most {} bytes", rule->max);
      return "a size, as in 512k, 4m, 1g";
    case OptionKind::Rate: return "a rate, as in 99hz, 500ms, 10s";
    case OptionKind::Duration: return "a time, as in 10, 500ms, 5m";
    case OptionKind::Share: return "a share of a CPU, as in 1%, 0.5%";
    case OptionKind::Text: return text_hint(row);
  }
  return "";
}

}  // namespace

std::vector<std::string> option_words(const OptionRow& option) {
  if (option.kind == OptionKind::Bool) return {"on", "off"};
  std::vector<std::string> words;
  const WordRule* rule = find_rule(word_rules, option.id);
  if (rule == nullptr) return words;
  for (std::string_view word : parts_of(rule->words, " "))
    if (!has_word(rule->later, word)) words.emplace_back(word);
  return words;
}

bool has_effect(const OptionRow& option) {
  return option.release == Release::Now && !option.help.starts_with("accepted") && !option.help.starts_with("for -G");
}

std::string option_hint(std::string_view name) {
  if (const OptionRow* option = find_option(name))
    return option->release == Release::Now ? fmt::format("`{}` takes {}", name, value_hint(*option)) : "";
  std::string_view near = nearest_name(name, all_option_names());
  return near.empty() ? "" : fmt::format("did you mean `{}`?", near);
}

OptionValues::OptionValues() : texts_(std::size(options)) {
  for (const OptionRow& option : options) numbers_.push_back(option.default_value);
  for (const WordRule& rule : word_rules) texts_[static_cast<size_t>(rule.id)] = rule.default_word;
}

bool OptionValues::is_on(OptionId id) const { return number(id) > 0; }

std::vector<std::string> OptionValues::list(OptionId id) const {
  std::vector<std::string> values;
  if (!is_set(id)) return values;
  std::string_view rest = text(id);
  for (;;) {
    size_t end = std::min(rest.find('\n'), rest.size());
    values.emplace_back(rest.substr(0, end));
    if (end == rest.size()) return values;
    rest.remove_prefix(end + 1);
  }
}

void OptionValues::set_number(OptionId id, int64_t value) { numbers_[static_cast<size_t>(id)] = value; }

Result<> OptionValues::set(std::string_view name, std::string_view value, bool has_value, OptionOrigin origin) {
  const OptionRow* option = find_option(name);
  if (!option) return fail(Error{"Invalid option name"});
  DS_TRY_VOID(check_origin(*option, origin));
  // In the environment, an empty value switches a toggle on.
  bool is_toggle = option->kind == OptionKind::Flag || option->kind == OptionKind::Bool;
  if (origin == OptionOrigin::Environment && is_toggle && value.empty()) has_value = false;
  return option->kind == OptionKind::Text ? set_text(*option, value, has_value) : set_value(*option, value, has_value);
}

Result<> OptionValues::set_value(const OptionRow& option, std::string_view value, bool has_value) {
  DS_TRY(int64_t number, parse_value(option, value, has_value));
  const NumberRule* rule = find_rule(number_rules, option.id);
  if (rule && (number < rule->min || number > rule->max)) return invalid_value();
  if (option.release != Release::Now && number > 0) return fail(unavailable(option, option.release, ""));
  set_number(option.id, number);
  if (number > 0) add_preprocessor_argument(option.id, "");
  for (auto [a, b] : opposites)
    if (option.id == a || option.id == b) set_number(option.id == a ? b : a, unset_option);
  return {};
}

Result<> OptionValues::set_text(const OptionRow& option, std::string_view value, bool has_value) {
  if (!has_value) return invalid_value();
  DS_TRY_VOID(check_text(option, value, texts_[static_cast<size_t>(option.id)]));
  if (option.release != Release::Now) return fail(unavailable(option, option.release, ""));
  std::string& text = texts_[static_cast<size_t>(option.id)];
  bool is_list = std::find(std::begin(list_options), std::end(list_options), option.id) != std::end(list_options);
  if (is_list && is_set(option.id)) text += "\n";
  else text.clear();
  text += value;
  set_number(option.id, 1);
  // Machine-readable output contains only the output of the D program.
  bool is_machine_readable = (option.id == OptionId::Format && value != "text") || option.id == OptionId::Oformat;
  if (is_machine_readable) set_number(OptionId::Quiet, 1);
  add_preprocessor_argument(option.id, value);
  return {};
}

void OptionValues::add_preprocessor_argument(OptionId id, std::string_view value) {
  for (const auto& [option, flag] : preprocessor_flags)
    if (option == id) preprocessor_arguments_.push_back(fmt::format("{}{}", flag, value));
  if (id != OptionId::Cppargs) return;
  constexpr std::string_view blanks = " \t\n";
  for (size_t at = 0; (at = value.find_first_not_of(blanks, at)) != std::string_view::npos;) {
    size_t end = std::min(value.find_first_of(blanks, at), value.size());
    preprocessor_arguments_.emplace_back(value.substr(at, end - at));
    at = end;
  }
}

}  // namespace dscope
