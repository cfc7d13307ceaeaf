// See advice_syntax.h. Looks at the character at the error and at the text before it.
#include "frontend/advice/advice_syntax.h"

#include <algorithm>
#include <cctype>

#include "catalog/catalog.h"
#include "frontend/syntax/token.h"
#include "support/format.h"
#include "support/text/probe_text.h"
#include "support/text/utf8.h"
#include "support/text/word_list.h"
#include "support/text/words.h"

namespace dscope {

namespace {

// ---------------------------------------------------------------- characters

struct ForeignCharacter {
  char32_t first, last;
  std::string_view replacement;
};
constexpr ForeignCharacter foreign_characters[] = {
#define DS_CHARACTER(first, last, replacement) {first, last, replacement},
#include "frontend/advice/foreign_characters.def"
#undef DS_CHARACTER
};

std::string replacement_of(char32_t code) {
  // The full-width forms of East Asian text are in ASCII order.
  constexpr char32_t first_wide = 0xff01, last_wide = 0xff5e;
  if (code >= first_wide && code <= last_wide) return fmt::format("`{}`", static_cast<char>(code - first_wide + '!'));
  auto row = std::ranges::find_if(foreign_characters,
                                  [&](const auto& each) { return code >= each.first && code <= each.last; });
  return row == std::end(foreign_characters) ? "" : std::string(row->replacement);
}

std::string hint_on_character(std::string_view rest) {
  if (static_cast<unsigned char>(rest[0]) < 0x80) return "";
  Utf8Character character = first_character(rest);
  if (character.length == 0) return "this byte is not valid UTF-8; write D in ASCII";
  auto code = static_cast<uint32_t>(character.code);
  std::string replacement = replacement_of(character.code);
  return replacement.empty() ? fmt::format("use U+{:04X} only in strings and comments", code)
                             : fmt::format("this is U+{:04X}; write {}", code, replacement);
}

// ---------------------------------------------------------------- clauses

bool is_timer(std::string_view word) {
  size_t dash = word.find('-');
  if (dash == std::string_view::npos || !is_interval_kind(word.substr(0, dash))) return false;
  return dash + 1 < word.size() && std::isdigit(word[dash + 1]) != 0;
}

bool looks_like_probe(std::string_view word) {
  return word == "BEGIN" || word == "END" || word == "ERROR" || is_timer(word) || std::ranges::count(word, ':') >= 2;
}

// A probe among the statements of the previous clause, whose brace was never closed.
std::string hint_on_unclosed_clause(const SourceContext& context) {
  if (context.braces() == 0) return "";
  std::string_view statement = context.from_statement();
  size_t end = std::min(statement.find_first_of(" \t\r\n{/,;"), statement.size());
  std::string_view word = statement.substr(0, end);
  size_t next = statement.find_first_not_of(" \t\r\n", end);
  bool continues =
      next != std::string_view::npos && std::string_view("{/,").find(statement[next]) != std::string_view::npos;
  if (!continues || !looks_like_probe(word)) return "";
  return fmt::format("line {} has an unclosed `{{`: add a `}}` before `{}`", context.open_brace_line(), word);
}

std::string hint_on_predicate(const SourceContext& context) {
  if (context.braces() > 0) return "";
  if (context.previous_character() == '\0' || context.previous_character() == '}')
    return "begin a clause with a probe: `BEGIN { trace(1); }`";
  if (context.previous_character() == ',') return "add a probe after the `,`, or remove the `,`";
  std::string_view statement = context.statement();
  std::string_view probes = leading_descriptions(statement);
  bool is_open = probes.size() < statement.size() && statement[probes.size()] == '/';
  return is_open ? "close the predicate with `/` before the actions: `/pid == 1/ { }`" : "";
}

std::string hint_on_brace(const SourceContext& context) {
  char next = context.rest()[0];
  if (next == '}' && context.braces() == 0) return "remove this `}`: no `{` is open here";
  if (next != '{' || context.braces() > 0) return "";
  if (context.previous_character() == ')')
    return "D has no user-defined functions; `inline int f[int x] = x + 1;` defines an expression with parameters";
  return hint_on_predicate(context);
}

// ---------------------------------------------------------------- statements

bool ends_operand(char c) { return is_word_char(c) || c == ')' || c == ']' || c == '"' || c == '\''; }
bool begins_operand(char c) { return is_word_char(c) || c == '"' || c == '@' || c == '$' || c == '\''; }

bool is_operator(char c) { return std::string_view("=+-*/%<>&|^!?:.").find(c) != std::string_view::npos; }

// Outside clauses: `typedef int foo BEGIN { }`.
std::string hint_on_declaration(const SourceContext& context) {
  constexpr std::string_view first_words = "typedef struct union enum inline int char long short string self this";
  bool is_declaration = context.braces() == 0 && has_word(first_words, context.statement_word());
  if (!is_declaration) return "";
  if (context.rest()[0] == ';' && context.statement_word() == "inline")
    return "add a value to the inline: `inline int limit = 10;`";
  if (context.previous_word() == "inline") return "add a type to the inline: `inline int limit = 10;`";
  bool begins_clause = looks_like_probe(context.word()) || !context.is_on_same_line();
  return begins_clause && is_word_char(context.rest()[0]) ? "add a `;` before this" : "";
}

std::string hint_on_number(const SourceContext& context) {
  bool is_in_number = context.is_adjacent() && is_word_char(context.rest()[0]) && !context.previous_word().empty() &&
                      std::isdigit(static_cast<unsigned char>(context.previous_word()[0])) != 0;
  if (is_in_number && context.word().find_first_not_of("uUlL") == std::string_view::npos)
    return "use only the suffixes u, l, ul, ll and ull";
  return is_in_number ? "write numbers without units: 10k is `10 * 1024`, 1s is `1000000000` nanoseconds" : "";
}

// `@[execname] count();`, "a" . "b"
std::string hint_on_absent_operator(const SourceContext& context) {
  char previous = context.previous_character();
  if (context.rest()[0] == '"' && previous == '.') return "join strings with strjoin(a, b)";
  bool is_aggregation = context.statement().starts_with('@') && find_aggregation(context.word()) != nullptr;
  return is_aggregation ? "add a `=` before this: `@name[key] = count();`" : "";
}

std::string hint_on_missing(const SourceContext& context) {
  char next = context.rest()[0];
  for (auto hint_on : {hint_on_declaration, hint_on_number, hint_on_absent_operator})
    if (std::string hint = hint_on(context); !hint.empty()) return hint;
  if (context.previous_character() == ',' && (is_operator(next) || next == ')' || next == ']'))
    return "add an expression after the `,`";
  bool lacks_operand = (next == ';' || next == ')') && context.braces() > 0 && !context.is_adjacent();
  if (lacks_operand && std::string_view("+-*/%<=").find(context.previous_character()) != std::string_view::npos)
    return fmt::format("add an operand after the `{}`", context.previous_character());
  if (next == ']' && context.previous_character() == '[')
    return "add a key between `[` and `]`, or remove the brackets";
  if (next == '}' && context.parens() == 0 && ends_operand(context.previous_character()) && context.braces() > 0)
    return "add a `;` before this `}`";
  std::string_view closing = next == ';' ? ";" : "}";
  if ((next == ';' || next == '}') && context.parens() > 0) return fmt::format("add a `)` before this `{}`", closing);
  if (next == ')' && context.parens() == 0) return "remove this `)`: no `(` is open here";
  if (!begins_operand(next) || !ends_operand(context.previous_character()) || context.braces() == 0) return "";
  if (context.parens() > 0) return "add a `,` or an operator before this";
  bool is_call = context.is_on_same_line() && !context.previous_word().empty() && next != '@';
  if (is_call && find_action(context.previous_word()) != nullptr)
    return fmt::format("put arguments in parentheses: `{}(...)`", context.previous_word());
  return "add a `;` before this";
}

std::string hint_on_else(const SourceContext& context) {
  char previous = context.previous_character();
  bool lacks_semicolon = context.braces() > 0 && context.statement_word() == "if" && previous != '}' && previous != ';';
  return lacks_semicolon ? "add a `;` before `else`" : "put `else` after the statement or the `}` of an `if`";
}

std::string hint_on_keyword(const SourceContext& context) {
  constexpr std::string_view type_words =
      "int char short long unsigned signed string void float double struct union enum";
  if (context.word() == "else") return hint_on_else(context);
  if (context.word() == "if" && context.braces() == 0 && !leading_descriptions(context.statement()).empty() &&
      context.previous_character() != '/')
    return "put a condition behind the probe between slashes: `syscall::open:entry /pid == 1/ { }`";
  if (context.word() == "if" && context.previous_character() == '/')
    return "write only the condition in a predicate: `/pid == 1/`";
  if (context.previous_word() == "if" && context.rest()[0] != '(')
    return "put the condition of `if` in parentheses: `if (pid == 1) { }`";
  bool begins_statement = context.previous_character() == '{' || context.previous_character() == ';';
  if (context.braces() > 0 && begins_statement && has_word(type_words, context.word()))
    return "move the declaration (`this int x;`) before the probe, or let the first assignment declare the variable";
  return "";
}

// ---------------------------------------------------------------- lines and ends

std::string hint_on_end(const SourceContext& context) {
  if (context.braces() > 0 && context.open_brace_line() < context.line())
    return fmt::format("add a `}}`: the `{{` of line {} is not closed", context.open_brace_line());
  if (context.braces() > 0) return "add the missing `}`";
  if (std::string hint = hint_on_predicate(context); !hint.empty()) return hint;
  if (context.is_script()) return "add actions in `{ }` after the probes: `BEGIN { trace(1); }`";
  return "";
}

std::string hint_on_control_line(std::string_view rest) {
  size_t word = rest.find_first_not_of(" \t", 1);
  bool is_pragma = word != std::string_view::npos && rest.substr(word).starts_with("pragma");
  return is_pragma ? "end the line of a pragma with a newline; on the command line, set options with -x"
                   : "for C directives, use option -C and a script (-s FILE)";
}

// Operators between the descriptions of a clause, or between its predicates.
std::string hint_on_alternatives(const SourceContext& context) {
  std::string_view rest = context.rest();
  if (context.braces() > 0 || context.parens() > 0) return "";
  bool is_logical = rest.starts_with("&&") || rest.starts_with("||");
  if (is_logical && context.previous_character() == '/')
    return "write the whole condition in one predicate: `/pid == 1 && uid == 0/`";
  bool has_predicate = leading_descriptions(context.statement()).size() < context.statement().size();
  if (rest[0] == '|' && !has_predicate) return "separate probes with `,`: `syscall::open:entry, syscall::close:entry`";
  bool is_description = rest[0] == '+' && context.statement().find(':') != std::string_view::npos && !has_predicate;
  if (is_description && rest.size() > 1 && std::isxdigit(static_cast<unsigned char>(rest[1])) != 0)
    return "name the probe of an instruction by its offset in hexadecimal digits: `pid$target:a.out:main:4`";
  if (is_description) return "write `?` for a character that descriptions cannot contain: `libstdc??.so.6`";
  return rest[0] == ':' ? "use only the patterns `*`, `?`, `[abc]` and `[!a-z]` in probe names" : "";
}

// The input ended inside a construct that one or two characters open.
std::string hint_on_unclosed(const SourceContext& context) {
  std::string_view rest = context.rest();
  if (context.marked().size() < rest.size() && context.marked().size() < 2) return "";
  if (rest.starts_with("/*")) return "end the comment with `*/`; comments do not nest";
  return rest[0] == '"' && context.marked().find('"', 1) == std::string_view::npos ? "add the closing `\"`" : "";
}

std::string hint_on_operator(const SourceContext& context) {
  char next = context.rest()[0], previous = context.previous_character();
  std::string_view statement = context.statement();
  if (std::string hint = hint_on_alternatives(context); !hint.empty()) return hint;
  if (context.rest().starts_with(":=")) return "assign with `=`: `x = 3;`";
  if (next == '>' && previous == '<') return "write `!=` for not equal";
  if (next == '%' && previous == '(') return "put the format in quotes: `printf(\"%s\\n\", execname)`";
  if (next == '=' && (statement.starts_with("self-") || statement.starts_with("this-")))
    return fmt::format("write such a variable as `{}->name`", statement.substr(0, 4));
  bool is_conditional = statement.find('?') != std::string_view::npos && statement.find(':') == std::string_view::npos;
  if (next == ';' && is_conditional && context.parens() == 0) return "write both values after `?`: `c ? 1 : 0`";
  bool is_inline = context.statement_word() == "inline";
  if (next == '=' && previous != '=' && context.braces() == 0 && !is_inline && is_word_char(previous))
    return "assign the value in a clause, not in the declaration: `BEGIN { x = 1; }`";
  if (next == ';' && context.braces() == 0 && !is_inline) return "remove the `;` between clauses";
  if (next == '(' && context.braces() == 0) return "put the actions of a clause in braces: `BEGIN { trace(1); }`";
  if (next == '/' && previous == '/') return "put an expression in the predicate: `/pid == 1/`";
  if (next == '>' && previous == '=') return "write `>=` for greater or equal";
  if (next == '=' && previous == '!') return "write `!=` for not equal, without a blank";
  if (next == ')' && previous == '*')
    return "the word before `*` is not a known type; begin the types of structures with `struct`";
  return previous == '@' ? "remove the blank after `@`: `@name[key]`" : "";
}

}  // namespace

std::string hint_on_syntax(const SourceContext& context) {
  std::string_view rest = context.rest();
  bool is_end = rest.find_first_not_of(" \t\n\r") == std::string_view::npos;
  if (is_end) return hint_on_end(context);
  if (rest[0] == '#') return hint_on_control_line(rest);
  bool is_condition =
      rest[0] == '[' && context.braces() == 0 && context.statement().find(':') != std::string_view::npos;
  if (is_condition) return "put the condition between slashes: `syscall::open:entry /pid == 1/ { }`";
  if (std::string hint = hint_on_character(rest); !hint.empty()) return hint;
  if (std::string hint = hint_on_unclosed(context); !hint.empty()) return hint;
  if (std::string hint = hint_on_unclosed_clause(context); !hint.empty()) return hint;
  if (std::string hint = hint_on_keyword(context); !hint.empty()) return hint;
  if (std::string hint = hint_on_brace(context); !hint.empty()) return hint;
  if (std::string hint = hint_on_operator(context); !hint.empty()) return hint;
  std::string_view before = context.previous_word();
  if (before == "probe" && context.braces() == 0 && looks_like_probe(context.from_statement().substr(5)))
    return "begin a clause with the name of the probe: `syscall::open:entry { }`";
  if (before == "function" && context.braces() == 0)
    return "D has no user-defined functions; `inline int f[int x] = x + 1;` defines an expression with parameters";
  bool is_after_probe = context.braces() == 0 && !before.empty() && before == context.statement_word() &&
                        keyword_kind(before) == TokenKind::Identifier && begins_operand(rest[0]);
  if (is_after_probe && context.is_script())
    return fmt::format("add `{{ }}` after `{0}` if it is a probe: no type has this name", before);
  return hint_on_missing(context);
}

}  // namespace dscope
