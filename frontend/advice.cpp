// See advice.h. One function per family of mistakes; each looks at the tag first and then at the text around the place.
#include "frontend/advice.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "frontend/lexer.h"
#include "frontend/source_context.h"
#include "support/word_list.h"
#include "support/words.h"

namespace dscope {

namespace {

struct ForeignWord {
  std::string_view word, hint;
};
constexpr ForeignWord foreign_words[] = {
#define DS_FOREIGN(word, hint) {word, hint},
#include "frontend/foreign_words.def"
#undef DS_FOREIGN
};

std::string_view foreign_hint(std::string_view word) {
  auto row = std::find_if(std::begin(foreign_words), std::end(foreign_words),
                          [&](const ForeignWord& candidate) { return candidate.word == word; });
  return row == std::end(foreign_words) ? std::string_view{} : row->hint;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string_view{}
                                         : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// ---------------------------------------------------------------- words and probes of other tracers

std::string about_word(Tag tag, const SourceContext& context) {
  switch (tag) {
    case Tag::D_IDENT_UNDEF:
    case Tag::D_FUNC_UNDEF:
    case Tag::D_IDENT_BADREF:
    case Tag::D_FUNC_IDKIND: return std::string(foreign_hint(context.word()));
    case Tag::D_SYNTAX: {
      std::string_view hint = foreign_hint(context.word());
      // `let $x = 1`, `unroll(5) {`: the word that does not belong stands before the one complained about.
      if (hint.empty()) hint = foreign_hint(context.previous_word());
      if (hint.empty() && context.rest().starts_with('{')) hint = foreign_hint(context.statement_word());
      return std::string(hint);
    }
    default: return "";
  }
}

// 'text' is a number in D.
std::string about_quotes(Tag tag, const SourceContext& context) {
  if (tag != Tag::D_PROTO_ARG && tag != Tag::D_OP_INCOMPAT && tag != Tag::D_PRINTF_ARG_FMT) return "";
  bool has_quote = context.marked().find('\'') != std::string_view::npos;
  return has_quote ? "text stands in double quotes; single ones make a number of characters" : "";
}

// The first probe of the unit that is spelled as in bpftrace: a word at the start of the text, or behind `,` or `}`.
std::string about_probe(const SourceContext& context) {
  std::string_view text = context.text();
  size_t at = 0;
  for (int words = 0; words < 100 && at < text.size(); ++words) {
    at = text.find_first_not_of(" \t\n\r,", at);
    if (at == std::string_view::npos) return "";
    if (text.substr(at, 2) == "/*") {
      at = text.find("*/", at);
    } else if (text.substr(at, 2) == "//" || text[at] == '#') {
      at = text.find('\n', at);
    } else {
      // `/` belongs to the paths of user-space probes.
      std::string_view word = text.substr(at, text.find_first_of(" \t\n\r,{", at) - at);
      if (std::string name = d_probe_name(word); !name.empty())
        return fmt::format("`{}` is `{}` in D{}", word, name,
                           name.find("$target") == std::string::npos ? "" : ", with -p PID or -c COMMAND");
      at = text.find_first_of(",}", at);
      if (at != std::string_view::npos) ++at;
    }
  }
  return "";
}

// Patterns of a shell that D does not have: `syscall::{read,write}:entry`, `syscall::re[ad:entry`.
std::string about_pattern(Tag tag, const SourceContext& context) {
  constexpr std::string_view patterns = "the patterns of probe names are `*`, `?`, `[abc]` and `[!a-z]`";
  if (tag == Tag::D_PDESC_ZERO) {
    std::string_view marked = context.marked(), behind = context.rest().substr(marked.size());
    if (marked.rfind('[') != std::string_view::npos && marked.find(']', marked.rfind('[')) == std::string_view::npos)
      return "a `]` is missing";
    size_t close = behind.starts_with('{') ? behind.find('}') : std::string_view::npos;
    bool goes_on = close != std::string_view::npos && behind.substr(close + 1).starts_with(':');
    return goes_on ? fmt::format("{}; `{{ }}` holds actions, and `,` separates whole descriptions", patterns) : "";
  }
  bool is_in_name = tag == Tag::D_SYNTAX && context.braces() == 0 && context.rest().starts_with('(') &&
                    context.previous_character() == ':' && context.is_on_same_line();
  return is_in_name ? std::string(patterns) : "";
}

// ---------------------------------------------------------------- syntax

bool ends_operand(char c) { return is_word_char(c) || c == ')' || c == ']' || c == '"' || c == '\''; }
bool begins_operand(char c) { return is_word_char(c) || c == '"' || c == '\'' || c == '@' || c == '$'; }

std::string about_missing(const SourceContext& context) {
  char next = context.rest()[0];
  std::string_view closing = next == ';' ? ";" : "}";
  if ((next == ';' || next == '}') && context.parens() > 0)
    return fmt::format("a `)` is missing before this `{}`", closing);
  if (!begins_operand(next) || !ends_operand(context.previous_character()) || context.braces() == 0) return "";
  if (context.parens() > 0) return "a `,` or an operator is missing before this";
  bool is_call = context.is_on_same_line() && !context.previous_word().empty() && next != '@';
  if (is_call && find_action(context.previous_word()) != nullptr)
    return fmt::format("arguments stand in parentheses: `{}(...)`", context.previous_word());
  return "a `;` is missing before this";
}

std::string about_keyword(const SourceContext& context) {
  constexpr std::string_view type_words =
      "int char short long unsigned signed string void float double struct union enum";
  if (context.word() == "if" && context.previous_character() == '/')
    return "a predicate is the condition alone: `/pid == 1/`";
  if (context.previous_word() == "if") return "the condition of `if` needs parentheses: `if (pid == 1) { }`";
  bool begins_statement = context.previous_character() == '{' || context.previous_character() == ';';
  if (context.braces() > 0 && begins_statement && has_word(type_words, context.word()))
    return "declarations stand outside of clauses (`this int x;` before the probe); the first assignment declares, too";
  return "";
}

std::string about_end(const SourceContext& context) {
  if (context.braces() > 0) return "a `}` is missing";
  if (context.is_script()) return "a script needs `{ }` behind the probes: `BEGIN { trace(1); }`";
  return "";
}

std::string about_syntax(const SourceContext& context) {
  std::string_view rest = context.rest();
  bool is_end = rest.find_first_not_of(" \t\n\r") == std::string_view::npos;
  if (is_end) return about_end(context);
  if (std::string hint = about_keyword(context); !hint.empty()) return hint;
  char previous = context.previous_character();
  if (rest[0] == ';' && context.braces() == 0) return "clauses follow one another without `;` in between";
  if (rest[0] == '#') return "directives of C need option -C and a script (-s FILE)";
  if (rest[0] == '(' && context.braces() == 0) return "the actions of a clause stand in braces: `BEGIN { trace(1); }`";
  if (rest[0] == '/' && previous == '/') return "a predicate needs an expression: `/pid == 1/`";
  if (rest[0] == '>' && previous == '=') return "greater or equal is `>=`";
  if (rest[0] == '=' && previous == '!') return "not equal is `!=`, in one word";
  if (rest[0] == ')' && context.previous_character() == '*')
    return "what stands before `*` is not known as a type; types of structures begin with `struct`";
  if (previous == '@') return "no blank may follow `@`: `@name[key]`";
  std::string_view before = context.previous_word();
  bool is_behind_probe = context.braces() == 0 && !before.empty() && before == context.statement_word() &&
                         keyword_kind(before) == TokenKind::Identifier && begins_operand(rest[0]);
  if (is_behind_probe && context.is_script())
    return fmt::format("`{0}` is taken for a probe, which needs `{{ }}`; if it is a type, it is not known", before);
  return about_missing(context);
}

// ---------------------------------------------------------------- aggregations

// `@a[key] OP value` -> what stands left of OP.
std::string_view target_of(std::string_view statement, std::string_view op) {
  return trimmed(statement.substr(0, statement.rfind(op)));
}

std::string about_aggregation(Tag tag, const SourceContext& context) {
  std::string_view marked = context.marked();
  if (!marked.starts_with('@') && !marked.starts_with("++@") && !marked.starts_with("--@")) return "";
  if (tag == Tag::D_UNKNOWN && marked.starts_with("++"))
    return fmt::format("count with `{} = count();`", marked.substr(2));
  if (tag == Tag::D_UNKNOWN && marked.ends_with("++"))
    return fmt::format("count with `{} = count();`", target_of(marked, "++"));
  if (tag == Tag::D_VAR_UNDEF && marked.find("+=") != std::string_view::npos) {
    std::string_view added = trimmed(marked.substr(marked.find("+=") + 2));
    return fmt::format("add with `{} = sum({});`", target_of(marked, "+="), added);
  }
  if (tag != Tag::D_AGG_FUNC) return "";
  return fmt::format("`@` keeps results of count(), sum(), max() and their like; a value is kept by a variable: `{}`",
                     marked.substr(1));
}

// ---------------------------------------------------------------- names

std::string about_macro(const SourceContext& context) {
  constexpr std::string_view names[] = {"egid", "euid", "gid", "pgid", "pid", "ppid", "sid", "target", "uid"};
  std::string_view text = context.rest();
  size_t begin = text.find_first_not_of('$');
  if (begin == std::string_view::npos) return "";
  size_t end = begin;
  while (end < text.size() && is_word_char(text[end])) ++end;
  std::string_view name = text.substr(begin, end - begin);
  if (std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    return "give it behind the programs, or let -x defaultargs make missing arguments 0 or empty";
  std::string_view following = trimmed(text.substr(end, 8));
  if (following.starts_with('=') && !following.starts_with("=="))
    return fmt::format("`$` marks values given by dscope; a variable of the clause is `this->{}`", name);
  std::string_view near = nearest_name(name, {std::begin(names), std::end(names)});
  return near.empty() ? fmt::format("a variable of the clause is `this->{}` in D", name)
                      : fmt::format("did you mean `${}`?", near);
}

bool is_assigned(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    std::string_view behind = trimmed(text.substr(at + name.size(), 8));
    bool is_word = at == 0 || (!is_word_char(text[at - 1]) && text[at - 1] != '>');
    if (is_word && behind.starts_with('=') && !behind.starts_with("==")) return true;
  }
  return false;
}

std::string about_undefined(const SourceContext& context) {
  if (context.rest().starts_with('@')) return "a clause above this one must assign it: `@name[key] = count();`";
  if (context.word().empty()) return "";
  const ActionRow* action = find_action(context.statement_word());
  bool is_format = action != nullptr && context.previous_character() == '(' &&
                   action->prototype.find("...") != std::string_view::npos;
  if (is_format) return fmt::format("is it text? Then it needs quotes: `\"{}\"`", context.word());
  if (is_assigned(context.rest(), context.word()))
    return fmt::format("it is assigned further down only; declare it before this clause: `int {};`", context.word());
  std::string_view pair = context.previous_pair();
  if (pair == "==" || pair == "!=") return fmt::format("is it text? Then it needs quotes: `\"{}\"`", context.word());
  return "";
}

std::string about_unassigned(const SourceContext& context) {
  std::string_view rest = context.rest(), declaration = "int name[int];";
  if (rest.starts_with("self")) declaration = "self int name;";
  if (rest.starts_with("this")) declaration = "this int name;";
  return fmt::format("a clause above this one must assign it, or a declaration name its type: `{}`", declaration);
}

std::string about_unit(Tag tag, const SourceContext& context) {
  switch (tag) {
    case Tag::D_MACRO_UNUSED: return "use it in the program as a macro argument, or accept it with -x argref";
    case Tag::D_INT_DIGIT: return "a number that begins with 0 is octal";
    case Tag::D_DECL_COMBO: return context.previous_character() == '}' ? "a `;` is missing behind the `}`" : "";
    case Tag::D_AGG_NULL: return "a statement updates an aggregation: `@name[key] = count();`";
    case Tag::D_CHR_OFLOW: return "text stands in double quotes";
    case Tag::D_EMPTY: return "a program is made of clauses: `BEGIN { trace(1); }`";
    default: return "";
  }
}

std::string about_error(const Diagnostic& error, const SourceContext& context) {
  if (std::string hint = about_aggregation(error.tag, context); !hint.empty()) return hint;
  switch (error.tag) {
    case Tag::D_SYNTAX:
      // Later it is the text of a format that is wrong.
      return error.phase == DiagnosticPhase::Parse ? about_syntax(context) : "";
    case Tag::D_MACRO_UNDEF: return about_macro(context);
    case Tag::D_IDENT_UNDEF: return about_undefined(context);
    case Tag::D_VAR_UNDEF: return about_unassigned(context);
    default: return about_unit(error.tag, context);
  }
}

}  // namespace

std::vector<std::string> advice(const Diagnostics& diagnostics) {
  const Diagnostic& error = diagnostics.first();
  SourceContext context(diagnostics.sources(), error);
  std::vector<std::string> hints;
  // What another tracer means by a word is better than a D word that looks like it.
  std::string hint = about_word(error.tag, context);
  if (hint.empty()) hint = about_quotes(error.tag, context);
  if (hint.empty()) hint = about_pattern(error.tag, context);
  if (hint.empty()) hint = error.hint;
  if (hint.empty()) hint = about_error(error, context);
  if (!hint.empty()) hints.push_back(std::move(hint));
  if (std::string probe = about_probe(context); !probe.empty()) hints.push_back(std::move(probe));
  return hints;
}

}  // namespace dscope
