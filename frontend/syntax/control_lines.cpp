#include "frontend/syntax/control_lines.h"

#include <algorithm>

#include "catalog/option_values.h"
#include "frontend/syntax/lexer.h"
#include "frontend/syntax/literal.h"
#include "frontend/syntax/macro_expander.h"
#include "frontend/syntax/token_reader.h"
#include "support/text/words.h"

namespace dscope {

namespace {

std::string joined(const std::vector<ControlWord>& words, size_t first) {
  std::string text;
  for (size_t i = first; i < words.size(); ++i) text += (i > first ? " " : "") + words[i].text;
  return text;
}

// Returns the offset of the closing quote of the string whose text begins at `from`, or the end of the line.
size_t find_closing_quote(std::string_view text, size_t from) {
  while (from < text.size() && text[from] != '"') from += text[from] == '\\' ? 2 : 1;
  return std::min(from, text.size());
}

bool is_c_directive(std::string_view word) {
  constexpr std::string_view all[] = {"define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif"};
  return std::find(std::begin(all), std::end(all), word) != std::end(all);
}

// Returns nullopt if a string is not closed.
std::optional<std::vector<ControlWord>> split_words(std::string_view text) {
  std::vector<ControlWord> words;
  for (size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
    } else if (text[at] == '"') {
      size_t end = find_closing_quote(text, at + 1);
      if (end == text.size()) return std::nullopt;
      words.push_back({ControlWord::Kind::String, process_escapes(text.substr(at + 1, end - at - 1))});
      at = end + 1;
    } else {
      size_t end = at;
      while (end < text.size() && !is_blank(text[end]) && text[end] != '"') ++end;
      std::string word{text.substr(at, end - at)};
      bool is_integer = scan_integer(word).length == word.size();
      words.push_back({is_integer ? ControlWord::Kind::Integer : ControlWord::Kind::Word, std::move(word)});
      at = end;
    }
  }
  return words;
}

// `#pragma D option NAME="VALUE with blanks"`: the name and the string are one word.
void join_quoted_value(std::vector<ControlWord>& words) {
  bool is_quoted = words.size() == 3 && words[0].text == "option" && words[1].text.ends_with('=') &&
                   words[2].kind == ControlWord::Kind::String;
  if (!is_quoted) return;
  words[1].text += words[2].text;
  words.pop_back();
}

}  // namespace

std::vector<std::string> library_dependencies(const SourceUnit& unit) {
  std::vector<std::string> names;
  size_t last = unit.text.rfind("depends_on");
  if (last == std::string::npos) return names;
  size_t end = unit.text.find('\n', last);
  const SourceUnit head{
      .kind = unit.kind, .name = {}, .text = unit.text.substr(0, end == std::string::npos ? end : end + 1)};
  // The parser reports errors in the text later.
  SourceSet nowhere;
  Diagnostics ignored{nowhere};
  Lexer lexer{head, ignored};
  for (Token token; (token = lexer.next(LexMode::ControlScan)).kind == TokenKind::ControlLine;) {
    auto words = split_words(token.text);
    if (!words || words->size() != 5) continue;
    const std::string_view pragma[] = {"pragma", "D", "depends_on", "library"};
    if (std::equal(std::begin(pragma), std::end(pragma), words->begin(),
                   [](std::string_view word, const ControlWord& found) { return word == found.text; }))
      names.push_back(words->back().text);
  }
  return names;
}

void ControlLines::apply(const Token& line) {
  std::optional<std::vector<ControlWord>> words = split_words(line.text);
  if (!words) return tokens_.error(Tag::D_STR_NL, line.at(), "newline in string constant");
  if (words->empty()) return;
  const ControlWord& first = words->front();
  if (first.kind == ControlWord::Kind::Integer) return line_directive(line, *words, 0);
  if (first.kind == ControlWord::Kind::Word) {
    if (first.text == "line") return line_directive(line, *words, 1);
    if (first.text == "error") return error_directive(line, *words, 1);
    if (first.text == "ident") return;
    if (first.text == "pragma") return pragma(line, *words);
  }
  tokens_.error(Tag::D_PRAGCTL_INVAL, line.at(), "invalid control directive: #{}", first.text);
  if (is_c_directive(first.text))
    return diagnostics_.hint(source_.kind == UnitKind::Script
                                 ? "pass -C to run the C preprocessor on the script"
                                 : "-C preprocesses scripts (-s) only, not program strings or libraries");
  std::string_view near = nearest_name(first.text, {"pragma", "define", "include"});
  diagnostics_.hint(near.empty() || near == first.text ? "write comments between `/*` and `*/`"
                                                       : fmt::format("did you mean `#{}`?", near));
}

// N ["file" [flags]]: the next line has number N. Flag 1 enters an included file and flag 2 leaves it; dscope ignores
// other flags.
void ControlLines::line_directive(const Token& line, const std::vector<ControlWord>& words, size_t first) {
  auto is = [&](size_t i, ControlWord::Kind kind) { return i < words.size() && words[i].kind == kind; };
  bool well_formed = is(first, ControlWord::Kind::Integer);
  if (words.size() > first + 1) well_formed = well_formed && is(first + 1, ControlWord::Kind::String);
  for (size_t i = first + 2; i < words.size(); ++i) well_formed = well_formed && is(i, ControlWord::Kind::Integer);
  IntegerText number = well_formed ? scan_integer(words[first].text) : IntegerText{};
  if (!well_formed || number.error != IntegerError::None || number.value > INT32_MAX)
    return tokens_.error(Tag::D_PRAGMA_MALFORM, line.at(),
                         "malformed #line directive: expected a line number and a file name");
  uint32_t file = tokens_.lexer().file();
  if (words.size() > first + 1) {
    const std::string& name = words[first + 1].text;
    bool is_unit_itself = name == "/dev/stdin" || name == "<stdin>" || name == source_.name;
    file = is_unit_itself ? 0 : diagnostics_.intern_file(name);
  }
  tokens_.lexer().set_next_line(static_cast<uint32_t>(number.value), file);
  for (size_t i = first + 2; i < words.size(); ++i) {
    if (words[i].text == "1") ++header_depth_;
    if (words[i].text == "2" && header_depth_ > 0) --header_depth_;
  }
}

void ControlLines::error_directive(const Token& line, const std::vector<ControlWord>& words, size_t first) {
  tokens_.error(Tag::D_PRAGERR, line.at(), "#error: {}", joined(words, first));
}

// #pragma D ... and #pragma error/ident/line. Pragmas of other languages have no effect.
void ControlLines::pragma(const Token& line, const std::vector<ControlWord>& words) {
  if (words.size() < 2 || words[1].kind != ControlWord::Kind::Word) return;
  const std::string& name = words[1].text;
  if (name == "error") return error_directive(line, words, 2);
  if (name == "line") return line_directive(line, words, 2);
  if (name == "D") pragma_d(line, {words.begin() + 2, words.end()});
}

// `words` starts with the pragma's name.
void ControlLines::pragma_d(const Token& line, std::vector<ControlWord> words) {
  join_quoted_value(words);
  if (words.empty())
    return tokens_.error(Tag::D_PRAGMA_MALFORM, line.at(), "malformed #pragma D: expected the name of a pragma");
  const std::string& name = words.front().text;
  if (name == "error") return error_directive(line, words, 1);
  if (name == "line") return line_directive(line, words, 1);
  if (name == "ident") return;
  if (name == "arg") return pragma_arg(line);
  if (!check_pragma_shape(line, words)) return;
  if (name == "option") pragma_option(line, words);
  if (name == "depends_on") pragma_depends_on(line, words);
  if (!tokens_.failed()) keep_pragma(line, words);
}

// Returns whether the pragma is known and has the right number of words, and reports an error otherwise.
bool ControlLines::check_pragma_shape(const Token& line, const std::vector<ControlWord>& words) {
  struct Row {
    std::string_view name;
    std::vector<size_t> word_counts;
    std::string_view usage;
  };
  static const std::vector<Row> rows = {
      {"option", {2}, "option NAME[=VALUE]"},
      {"attributes", {3, 5}, "attributes NAME/DATA/CLASS IDENTIFIER, or attributes A provider PROVIDER FIELD"},
      {"binding", {3}, "binding \"VERSION\" IDENTIFIER"},
      {"depends_on", {3}, "depends_on provider|module|library NAME"},
  };
  for (const Row& row : rows) {
    if (row.name != words.front().text) continue;
    // The version of a binding must be a string: DTrace does not lex a number with two dots as a word.
    bool is_version = words.size() > 1 && words[1].kind == ControlWord::Kind::String;
    bool lacks_provider = row.name == "attributes" && words.size() == 3 && words[2].text == "provider";
    bool has_right_kind = (row.name != "binding" || is_version) && !lacks_provider;
    for (size_t count : row.word_counts)
      if (count == words.size() && has_right_kind) return true;
    tokens_.error(Tag::D_PRAGMA_MALFORM, line.at(), "malformed #pragma D {}: expected {}", row.name, row.usage);
    return false;
  }
  tokens_.error(Tag::D_PRAGMA_INVAL, line.at(), "unknown pragma: #pragma D {}", words.front().text);
  std::string_view near = nearest_name(words.front().text, {"option", "attributes", "binding", "depends_on", "arg"});
  if (!near.empty()) diagnostics_.hint(fmt::format("did you mean `{}`?", near));
  return false;
}

void ControlLines::pragma_option(const Token& line, const std::vector<ControlWord>& words) {
  std::string_view text = words[1].text;
  size_t equals = text.find('=');
  bool has_value = equals != std::string_view::npos;
  std::string_view name = text.substr(0, equals);
  std::string_view value = has_value ? text.substr(equals + 1) : std::string_view{};
  if (!context_.apply_option) return;
  std::string problem = context_.apply_option(name, value, has_value);
  if (problem.empty()) return;
  if (has_value)
    tokens_.error(Tag::D_PRAGMA_OPTSET, line.at(), "failed to set option '{}' to '{}': {}", name, value, problem);
  else tokens_.error(Tag::D_PRAGMA_OPTSET, line.at(), "failed to set option '{}': {}", name, problem);
  const OptionRow* option = find_option(name);
  bool is_command_line_only = option != nullptr && (option->when == OptionWhen::CompileCommandLine ||
                                                    option->when == OptionWhen::RunCommandLine);
  diagnostics_.hint(is_command_line_only ? fmt::format("set it on the command line: -x {}", text) : option_hint(name));
}

// The declaration has a syntax of its own, which the driver reads too: commas and brackets belong to words.
void ControlLines::pragma_arg(const Token& line) {
  if (source_.kind != UnitKind::Script) {
    tokens_.error(Tag::D_PRAGMA_INVAL, line.at(), "#pragma D arg declares the options of a script");
    return diagnostics_.hint("put it into a file that -s runs");
  }
  std::string_view text = line.text;
  text.remove_prefix(text.find("arg") + 3);
  Result<> declared = macros_.declare_options(text);
  if (declared) return;
  tokens_.error(Tag::D_PRAGMA_MALFORM, line.at(), "malformed #pragma D arg: {}", declared.error().message());
  if (!declared.error().hint_text().empty()) diagnostics_.hint(declared.error().hint_text());
}

void ControlLines::pragma_depends_on(const Token& line, const std::vector<ControlWord>& words) {
  const std::string& kind = words[1].text;
  const std::string& name = words[2].text;
  if (kind != "provider" && kind != "module" && kind != "library")
    return tokens_.error(Tag::D_PRAGMA_INVAL, line.at(), "invalid class \"{}\" in #pragma D depends_on", kind);
  if (kind == "library" && source_.kind != UnitKind::Library)
    return tokens_.error(Tag::D_PRAGMA_DEPEND, line.at(), "only a library may depend on a library: {}", name);
  if (context_.is_available && !context_.is_available(kind, name))
    tokens_.error(Tag::D_PRAGMA_DEPEND, line.at(), "the program needs {} {}, which is not available", kind, name);
}

void ControlLines::keep_pragma(const Token& line, const std::vector<ControlWord>& words) {
  Pragma form;
  for (const ControlWord& word : words) form.words.push_back(word.text);
  unit_.externals.push_back({.at = line.at(), .form = std::move(form)});
}

}  // namespace dscope
