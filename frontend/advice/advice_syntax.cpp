// See advice_syntax.h. Looks at the character at the error and at the text before it.
#include "frontend/advice/advice_syntax.h"

#include <algorithm>
#include <cctype>

#include "catalog/catalog.h"
#include "frontend/syntax/token.h"
#include "support/format.h"
#include "support/probe_text.h"
#include "support/utf8.h"
#include "support/word_list.h"
#include "support/words.h"

namespace dscope {

namespace {

// ---------------------------------------------------------------- characters

struct ForeignCharacter {
  char32_t first, last;
  std::string_view meant;
};
constexpr ForeignCharacter foreign_characters[] = {
#define DS_CHARACTER(first, last, meant) {first, last, meant},
#include "frontend/advice/foreign_characters.def"
#undef DS_CHARACTER
};

std::string meant_by(char32_t code) {
  // The full-width forms of East Asian text are in ASCII order.
  constexpr char32_t first_wide = 0xff01, last_wide = 0xff5e;
  if (code >= first_wide && code <= last_wide) return fmt::format("`{}`", static_cast<char>(code - first_wide + '!'));
  auto row = std::ranges::find_if(foreign_characters,
                                  [&](const auto& each) { return code >= each.first && code <= each.last; });
  return row == std::end(foreign_characters) ? "" : std::string(row->meant);
}

std::string about_character(std::string_view rest) {
  if (static_cast<unsigned char>(rest[0]) < 0x80) return "";
  Utf8Character character = first_character(rest);
  if (character.length == 0) return "this byte is no character of UTF-8; D is written in ASCII";
  auto code = static_cast<uint32_t>(character.code);
  std::string meant = meant_by(character.code);
  return meant.empty() ? fmt::format("U+{:04X} may stand in text and comments only", code)
                       : fmt::format("this is U+{:04X}; write {}", code, meant);
}

// ---------------------------------------------------------------- clauses

bool is_timer(std::string_view word) {
  for (std::string_view kind : {"tick-", "profile-"})
    if (word.starts_with(kind) && word.size() > kind.size() && std::isdigit(word[kind.size()]) != 0) return true;
  return false;
}

bool looks_like_probe(std::string_view word) {
  return word == "BEGIN" || word == "END" || word == "ERROR" || is_timer(word) || std::ranges::count(word, ':') >= 2;
}

// A probe among the statements of the previous clause, whose brace was never closed.
std::string about_unclosed_clause(const SourceContext& context) {
  if (context.braces() == 0) return "";
  std::string_view statement = context.from_statement();
  size_t end = std::min(statement.find_first_of(" \t\r\n{/,;"), statement.size());
  std::string_view word = statement.substr(0, end);
  size_t next = statement.find_first_not_of(" \t\r\n", end);
  bool goes_on =
      next != std::string_view::npos && std::string_view("{/,").find(statement[next]) != std::string_view::npos;
  if (!goes_on || !looks_like_probe(word)) return "";
  return fmt::format("the `{{` of line {} is not closed: a `}}` is missing before `{}`", context.open_brace_line(),
                     word);
}

std::string about_predicate(const SourceContext& context) {
  if (context.braces() > 0) return "";
  if (context.previous_character() == '\0' || context.previous_character() == '}')
    return "a clause begins with a probe: `BEGIN { trace(1); }`";
  if (context.previous_character() == ',') return "a probe is missing behind the `,`, or the `,` is one too many";
  std::string_view statement = context.statement();
  std::string_view probes = descriptions_of(statement);
  bool is_open = probes.size() < statement.size() && statement[probes.size()] == '/';
  return is_open ? "the predicate needs a closing `/` before the actions: `/pid == 1/ { }`" : "";
}

std::string about_brace(const SourceContext& context) {
  char next = context.rest()[0];
  if (next == '}' && context.braces() == 0) return "one `}` too many: no `{` is open here";
  if (next != '{' || context.braces() > 0) return "";
  if (context.previous_character() == ')')
    return "D has no functions of one's own; `inline int f[int x] = x + 1;` names an expression with parameters";
  return about_predicate(context);
}

// ---------------------------------------------------------------- statements

bool ends_operand(char c) { return is_word_char(c) || c == ')' || c == ']' || c == '"' || c == '\''; }
bool begins_operand(char c) { return is_word_char(c) || c == '"' || c == '@' || c == '$' || c == '\''; }

bool is_operator(char c) { return std::string_view("=+-*/%<>&|^!?:.").find(c) != std::string_view::npos; }

// Outside clauses: `typedef int foo BEGIN { }`.
std::string about_declaration(const SourceContext& context) {
  constexpr std::string_view first_words = "typedef struct union enum inline int char long short string self this";
  bool is_declaration = context.braces() == 0 && has_word(first_words, context.statement_word());
  if (!is_declaration) return "";
  if (context.rest()[0] == ';' && context.statement_word() == "inline")
    return "an inline needs a value: `inline int limit = 10;`";
  if (context.previous_word() == "inline") return "an inline needs a type: `inline int limit = 10;`";
  bool begins_clause = looks_like_probe(context.word()) || !context.is_on_same_line();
  return begins_clause && is_word_char(context.rest()[0]) ? "a `;` is missing before this" : "";
}

std::string about_number(const SourceContext& context) {
  bool is_in_number = context.is_adjacent() && is_word_char(context.rest()[0]) && !context.previous_word().empty() &&
                      std::isdigit(static_cast<unsigned char>(context.previous_word()[0])) != 0;
  if (is_in_number && context.word().find_first_not_of("uUlL") == std::string_view::npos)
    return "a number may end in u, l, ul, ll or ull";
  return is_in_number ? "a number is written without unit: 10k is `10 * 1024`, 1s is `1000000000` nanoseconds" : "";
}

// `@[execname] count();`, "a" . "b"
std::string about_absent_operator(const SourceContext& context) {
  char previous = context.previous_character();
  if (context.rest()[0] == '"' && previous == '.') return "strings are joined with strjoin(a, b)";
  bool is_aggregation = context.statement().starts_with('@') && find_aggregation(context.word()) != nullptr;
  return is_aggregation ? "a `=` is missing before this: `@name[key] = count();`" : "";
}

std::string about_missing(const SourceContext& context) {
  char next = context.rest()[0];
  for (auto about : {about_declaration, about_number, about_absent_operator})
    if (std::string hint = about(context); !hint.empty()) return hint;
  if (context.previous_character() == ',' && (is_operator(next) || next == ')' || next == ']'))
    return "an expression is missing behind the `,`";
  if (next == ']' && context.previous_character() == '[')
    return "a key is missing between `[` and `]`; what has no keys has no brackets";
  if (next == '}' && context.parens() == 0 && ends_operand(context.previous_character()) && context.braces() > 0)
    return "a `;` is missing before this `}`";
  std::string_view closing = next == ';' ? ";" : "}";
  if ((next == ';' || next == '}') && context.parens() > 0)
    return fmt::format("a `)` is missing before this `{}`", closing);
  if (next == ')' && context.parens() == 0) return "one `)` too many: no `(` is open here";
  if (!begins_operand(next) || !ends_operand(context.previous_character()) || context.braces() == 0) return "";
  if (context.parens() > 0) return "a `,` or an operator is missing before this";
  bool is_call = context.is_on_same_line() && !context.previous_word().empty() && next != '@';
  if (is_call && find_action(context.previous_word()) != nullptr)
    return fmt::format("arguments stand in parentheses: `{}(...)`", context.previous_word());
  return "a `;` is missing before this";
}

std::string about_else(const SourceContext& context) {
  char previous = context.previous_character();
  bool lacks_semicolon = context.braces() > 0 && context.statement_word() == "if" && previous != '}' && previous != ';';
  return lacks_semicolon ? "a `;` is missing before `else`" : "`else` must follow the statement or the `}` of an `if`";
}

std::string about_keyword(const SourceContext& context) {
  constexpr std::string_view type_words =
      "int char short long unsigned signed string void float double struct union enum";
  if (context.word() == "else") return about_else(context);
  if (context.word() == "if" && context.previous_character() == '/')
    return "a predicate is the condition alone: `/pid == 1/`";
  if (context.previous_word() == "if" && context.rest()[0] != '(')
    return "the condition of `if` needs parentheses: `if (pid == 1) { }`";
  bool begins_statement = context.previous_character() == '{' || context.previous_character() == ';';
  if (context.braces() > 0 && begins_statement && has_word(type_words, context.word()))
    return "declarations stand outside of clauses (`this int x;` before the probe); the first assignment declares, too";
  return "";
}

// ---------------------------------------------------------------- lines and ends

std::string about_end(const SourceContext& context) {
  if (context.braces() > 0 && context.open_brace_line() < context.line())
    return fmt::format("a `}}` is missing: the `{{` of line {} is not closed", context.open_brace_line());
  if (context.braces() > 0) return "a `}` is missing";
  if (std::string hint = about_predicate(context); !hint.empty()) return hint;
  if (context.is_script()) return "a script needs `{ }` behind the probes: `BEGIN { trace(1); }`";
  return "";
}

std::string about_control_line(std::string_view rest) {
  size_t word = rest.find_first_not_of(" \t", 1);
  bool is_pragma = word != std::string_view::npos && rest.substr(word).starts_with("pragma");
  return is_pragma ? "a newline must end the line of a pragma; on the command line, -x sets options"
                   : "directives of C need option -C and a script (-s FILE)";
}

// Between the descriptions of a clause, or between its predicates.
std::string about_alternatives(const SourceContext& context) {
  std::string_view rest = context.rest();
  if (context.braces() > 0 || context.parens() > 0) return "";
  bool is_logical = rest.starts_with("&&") || rest.starts_with("||");
  if (is_logical && context.previous_character() == '/')
    return "the predicate holds the whole condition: `/pid == 1 && uid == 0/`";
  bool has_predicate = descriptions_of(context.statement()).size() < context.statement().size();
  if (rest[0] == '|' && !has_predicate) return "`,` separates probes: `syscall::open:entry, syscall::close:entry`";
  bool is_description = rest[0] == '+' && context.statement().find(':') != std::string_view::npos && !has_predicate;
  if (is_description && rest.size() > 1 && std::isxdigit(static_cast<unsigned char>(rest[1])) != 0)
    return "the name of an instruction's probe is its offset, in hexadecimal digits: `pid$target:a.out:main:4`";
  if (is_description) return "`?` stands for a character that descriptions cannot have: `libstdc??.so.6`";
  return rest[0] == ':' ? "the patterns of probe names are `*`, `?`, `[abc]` and `[!a-z]`" : "";
}

// The input ended inside a construct that one or two characters open.
std::string about_unclosed(const SourceContext& context) {
  std::string_view rest = context.rest();
  if (context.marked().size() < rest.size() && context.marked().size() < 2) return "";
  if (rest.starts_with("/*")) return "the comment needs `*/` at its end; comments do not nest";
  return rest[0] == '"' && context.marked().find('"', 1) == std::string_view::npos ? "a closing `\"` is missing" : "";
}

std::string about_operator(const SourceContext& context) {
  char next = context.rest()[0], previous = context.previous_character();
  std::string_view statement = context.statement();
  if (std::string hint = about_alternatives(context); !hint.empty()) return hint;
  if (context.rest().starts_with(":=")) return "`=` assigns: `x = 3;`";
  if (next == '>' && previous == '<') return "not equal is `!=`";
  if (next == '%' && previous == '(') return "a format is text and needs quotes: `printf(\"%s\\n\", execname)`";
  if (next == '=' && (statement.starts_with("self-") || statement.starts_with("this-")))
    return fmt::format("variables of this kind are written `{}->name`", statement.substr(0, 4));
  bool is_conditional = statement.find('?') != std::string_view::npos && statement.find(':') == std::string_view::npos;
  if (next == ';' && is_conditional && context.parens() == 0) return "`?` needs both values: `c ? 1 : 0`";
  bool is_inline = context.statement_word() == "inline";
  if (next == '=' && previous != '=' && context.braces() == 0 && !is_inline && is_word_char(previous))
    return "a declaration gives no value: assign it in a clause, `BEGIN { x = 1; }`";
  if (next == ';' && context.braces() == 0 && !is_inline) return "clauses follow one another without `;` in between";
  if (next == '(' && context.braces() == 0) return "the actions of a clause stand in braces: `BEGIN { trace(1); }`";
  if (next == '/' && previous == '/') return "a predicate needs an expression: `/pid == 1/`";
  if (next == '>' && previous == '=') return "greater or equal is `>=`";
  if (next == '=' && previous == '!') return "not equal is `!=`, in one word";
  if (next == ')' && previous == '*')
    return "what stands before `*` is not known as a type; types of structures begin with `struct`";
  return previous == '@' ? "no blank may follow `@`: `@name[key]`" : "";
}

}  // namespace

std::string advice_on_syntax(const SourceContext& context) {
  std::string_view rest = context.rest();
  bool is_end = rest.find_first_not_of(" \t\n\r") == std::string_view::npos;
  if (is_end) return about_end(context);
  if (rest[0] == '#') return about_control_line(rest);
  if (std::string hint = about_character(rest); !hint.empty()) return hint;
  if (std::string hint = about_unclosed(context); !hint.empty()) return hint;
  if (std::string hint = about_unclosed_clause(context); !hint.empty()) return hint;
  if (std::string hint = about_keyword(context); !hint.empty()) return hint;
  if (std::string hint = about_brace(context); !hint.empty()) return hint;
  if (std::string hint = about_operator(context); !hint.empty()) return hint;
  std::string_view before = context.previous_word();
  bool is_behind_probe = context.braces() == 0 && !before.empty() && before == context.statement_word() &&
                         keyword_kind(before) == TokenKind::Identifier && begins_operand(rest[0]);
  if (is_behind_probe && context.is_script())
    return fmt::format("`{0}` is taken for a probe, which needs `{{ }}`; if it is a type, it is not known", before);
  return about_missing(context);
}

}  // namespace dscope
