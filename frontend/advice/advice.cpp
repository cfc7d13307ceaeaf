// See advice.h. One function per family of mistakes: each checks the tag first and then the text around the error.
#include "frontend/advice/advice.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/dialect.h"
#include "frontend/advice/advice_syntax.h"
#include "frontend/advice/source_context.h"
#include "frontend/syntax/lexer.h"
#include "support/text/word_list.h"
#include "support/text/words.h"

namespace dscope {

namespace {

struct ForeignWord {
  std::string_view word, hint;
};
constexpr ForeignWord foreign_words[] = {
#define DS_FOREIGN(word, hint) {word, hint},
#include "frontend/advice/foreign_words.def"
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

std::string hint_on_word(Tag tag, const SourceContext& context) {
  switch (tag) {
    case Tag::D_IDENT_UNDEF:
    case Tag::D_FUNC_UNDEF:
    case Tag::D_IDENT_BADREF:
    case Tag::D_FUNC_IDKIND: return std::string(foreign_hint(context.word()));
    case Tag::D_SYNTAX: {
      std::string_view hint = foreign_hint(context.word());
      // `let $x = 1`, `unroll(5) {`: the foreign word precedes the position of the error.
      bool is_offset = context.rest().starts_with('+');
      bool is_description = context.braces() == 0 && context.previous_word() == "probe";
      if (hint.empty() && !is_offset && !is_description) hint = foreign_hint(context.previous_word());
      if (hint.empty() && context.rest().starts_with('{')) hint = foreign_hint(context.statement_word());
      return std::string(hint);
    }
    default: return "";
  }
}

// ---------------------------------------------------------------- names of Solaris

bool has_identifier(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    bool is_whole = (at == 0 || !is_word_char(text[at - 1])) && (end == text.size() || !is_word_char(text[end]));
    if (is_whole) return true;
  }
  return false;
}

bool is_name_in(std::string_view solaris, std::string_view word) {
  return !word.empty() && has_identifier(solaris, Dialect::emulated_name(word));
}

// Suggests -x compat=solaris for variables, types and members that the library emulates for Solaris scripts.
std::string hint_on_solaris(Tag tag, const SourceContext& context, std::string_view solaris) {
  std::string_view word = context.word();
  if (word.empty() && context.rest().starts_with('`')) word = context.word_at_offset(1);
  bool is_known = false;
  switch (tag) {
    case Tag::D_IDENT_UNDEF: is_known = is_name_in(solaris, word); break;
    case Tag::D_SYNTAX:
      // `self hrtime_t t`, `(proc_t *)p`: the undefined type precedes the position of the error.
      word = context.previous_type_word();
      is_known = is_name_in(solaris, word);
      break;
    case Tag::D_TYPE_MEMBER:
      word = context.last_marked_word();
      is_known = (word.starts_with("t_") || word.starts_with("p_")) && has_identifier(solaris, word);
      break;
    default: return "";
  }
  return is_known ? fmt::format("`{}` is a Solaris name: allow it with -x compat=solaris", word) : "";
}

// ---------------------------------------------------------------- constants

// Explains the quotes: 'text' is a number in D.
std::string hint_on_quotes(Tag tag, const SourceContext& context) {
  if (tag != Tag::D_PROTO_ARG && tag != Tag::D_OP_INCOMPAT && tag != Tag::D_PRINTF_ARG_FMT) return "";
  bool has_quote = context.marked().find('\'') != std::string_view::npos;
  return has_quote ? "put text in double quotes: single quotes denote a number" : "";
}

struct WordHint {
  std::string_view word;
  std::string hint;
};

// Finds the first probe of the unit in bpftrace's spelling: a word at the start of the text, or after `,` or `}`.
WordHint hint_on_probe(const SourceContext& context) {
  std::string_view text = context.text();
  size_t at = 0;
  for (int words = 0; words < 100 && at < text.size(); ++words) {
    at = text.find_first_not_of(" \t\n\r,", at);
    if (at == std::string_view::npos) return {};
    if (text.substr(at, 2) == "/*") {
      at = text.find("*/", at);
    } else if (text.substr(at, 2) == "//" || text[at] == '#') {
      at = text.find('\n', at);
    } else {
      // `/` occurs in the paths of user-space probes.
      std::string_view word = text.substr(at, text.find_first_of(" \t\n\r,{", at) - at);
      if (std::string name = d_probe_name(word); !name.empty())
        return {word, fmt::format("`{}` is `{}` in D{}", word, name,
                                  name.find("$target") == std::string::npos ? "" : ", with -p PID or -c COMMAND")};
      at = text.find_first_of(",}", at);
      if (at != std::string_view::npos) ++at;
    }
  }
  return {};
}

// D lexes `tick 1s` as a number and a probe named `s`.
std::string hint_on_interval(Tag tag, const SourceContext& context) {
  std::string_view kind = context.statement_word();
  if ((tag != Tag::D_PDESC_ZERO && tag != Tag::D_SYNTAX) || !is_interval_kind(kind) || context.braces() > 0) return "";
  std::string_view after = trimmed(context.from_statement().substr(kind.size()));
  if (after.starts_with(':')) after.remove_prefix(1);
  if (after.empty() || std::isdigit(static_cast<unsigned char>(after[0])) == 0) return "";
  return fmt::format("put a dash before the number: `{}-{}`", kind,
                     after.substr(0, after.find_first_of(" \t\r\n{/,;")));
}

// Shell patterns that D lacks: `syscall::{read,write}:entry`, `syscall::re[ad:entry`.
std::string hint_on_pattern(Tag tag, const SourceContext& context) {
  constexpr std::string_view patterns = "use only the patterns `*`, `?`, `[abc]` and `[!a-z]` in probe names";
  if (tag == Tag::D_PDESC_ZERO) {
    if (context.marked() == "probe") return "begin a clause with the name of the probe: `syscall::open:entry { }`";
    if (context.marked().find(".*") != std::string_view::npos) return std::string(patterns);
    std::string_view marked = context.marked(), after = context.rest().substr(marked.size());
    if (marked.rfind('[') != std::string_view::npos && marked.find(']', marked.rfind('[')) == std::string_view::npos)
      return "add the missing `]`";
    size_t close = after.starts_with('{') ? after.find('}') : std::string_view::npos;
    bool continues = close != std::string_view::npos && after.substr(close + 1).starts_with(':');
    return continues ? fmt::format("{}; `{{ }}` contains actions, and `,` separates whole descriptions", patterns) : "";
  }
  bool is_in_name = tag == Tag::D_SYNTAX && context.braces() == 0 && context.rest().starts_with('(') &&
                    context.previous_character() == ':' && context.is_on_same_line();
  return is_in_name ? std::string(patterns) : "";
}

// ---------------------------------------------------------------- aggregations

// Returns the text left of OP in `@a[key] OP value`.
std::string_view target_of(std::string_view statement, std::string_view op) {
  return trimmed(statement.substr(0, statement.rfind(op)));
}

std::string hint_on_aggregation(Tag tag, const SourceContext& context) {
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
  return fmt::format("`@` stores results of aggregating functions such as count(); store a value in a variable: `{}`",
                     marked.substr(1));
}

// ---------------------------------------------------------------- names

std::string hint_on_macro(const SourceContext& context) {
  constexpr std::string_view names[] = {"egid", "euid", "gid", "pgid", "pid", "ppid", "sid", "target", "uid"};
  std::string_view text = context.rest();
  size_t begin = text.find_first_not_of('$');
  if (begin == std::string_view::npos) return "";
  size_t end = begin;
  while (end < text.size() && is_word_char(text[end])) ++end;
  std::string_view name = text.substr(begin, end - begin);
  if (std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    return "pass it after the programs, or use -x defaultargs: missing arguments are then 0 or empty";
  std::string_view following = trimmed(text.substr(end, 8));
  if (following.starts_with('=') && !following.starts_with("=="))
    return fmt::format("`$` marks values from the command line; use `this->{}` for a variable of the clause", name);
  bool is_of_shell = std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) != 0; });
  if (is_of_shell)
    return fmt::format("to pass a value of the shell, write `$$1` in the program and \"${}\" after it", name);
  std::string_view near = nearest_name(name, {std::begin(names), std::end(names)});
  return near.empty() ? fmt::format("use `this->{}` for a variable of the clause", name)
                      : fmt::format("did you mean `${}`?", near);
}

bool is_assigned(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    std::string_view after = trimmed(text.substr(at + name.size(), 8));
    bool is_word = at == 0 || (!is_word_char(text[at - 1]) && text[at - 1] != '>');
    if (is_word && after.starts_with('=') && !after.starts_with("==")) return true;
  }
  return false;
}

// The text assigns the variable only below the error, where the checker does not know it yet.
std::string hint_on_assigned_later(Tag tag, const SourceContext& context) {
  if (tag != Tag::D_IDENT_UNDEF && tag != Tag::D_VAR_UNDEF) return "";
  std::string_view rest = context.rest(), scope;
  for (std::string_view prefix : {"self->", "this->"})
    if (rest.starts_with(prefix)) scope = prefix;
  std::string_view name = context.word_at_offset(scope.size());
  if (name.empty() || !is_assigned(rest, rest.substr(0, scope.size() + name.size()))) return "";
  return fmt::format("declare it before this clause, because only a later statement assigns it: `{}{}int {};`",
                     scope.substr(0, 4), scope.empty() ? "" : " ", name);
}

std::string hint_on_undefined(const SourceContext& context) {
  if (context.rest().starts_with('@')) return "assign it in an earlier clause: `@name[key] = count();`";
  if (context.rest().starts_with("$"))
    return "the argument is used as a name; write `$$1` for the text of the first argument";
  if (context.word().empty()) return "";
  constexpr std::string_view on_aggregations = "printa clear trunc normalize denormalize";
  if (has_word(on_aggregations, context.statement_word()) && context.previous_character() == '(')
    return fmt::format("write aggregations with `@`: `@{}`", context.word());
  const ActionRow* action = find_action(context.statement_word());
  bool is_format = action != nullptr && context.previous_character() == '(' &&
                   action->prototype.find("...") != std::string_view::npos;
  if (is_format) return fmt::format("if it is text, put it in quotes: `\"{}\"`", context.word());
  std::string_view pair = context.previous_pair();
  if (pair == "==" || pair == "!=") return fmt::format("if it is text, put it in quotes: `\"{}\"`", context.word());
  return fmt::format("assign it in an earlier clause, or declare it before the clauses: `int {};`", context.word());
}

std::string hint_on_unassigned(const SourceContext& context) {
  std::string_view rest = context.rest(), declaration = "int name[int];";
  if (rest.starts_with("self")) declaration = "self int name;";
  if (rest.starts_with("this")) declaration = "this int name;";
  return fmt::format("assign it in an earlier clause, or declare its type: `{}`", declaration);
}

constexpr std::string_view hint_on_keys =
    "all keys of an array or aggregation have the same number and types: use another name for other keys";

// Only the message contains the argument that was passed.
std::string hint_on_argument(std::string_view message) {
  auto contains = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
  if (message.starts_with("print( )") && contains("argument: <DYN>"))
    return "print aggregations with printa(): `printa(@a)`";
  if (contains("argument: stack")) return "use it as a separate statement or as a key: `@[ustack()] = count();`";
  if (message.starts_with("printf( ) argument #1 ")) return "put the format first: `printf(\"%d\\n\", x)`";
  if (message.starts_with("copyin") && contains("argument: string"))
    return "it is already a string; copyinstr() takes the address of a string in the process";
  if (contains("     key: ")) return std::string(hint_on_keys);
  if (contains("prototype: const char *"))
    return "use `copyinstr(address)` for a string of the process, `stringof(pointer)` for a string of the kernel, "
           "`lltostr(n)` for a "
           "number";
  return "";
}

std::string hint_on_missing_value(const SourceContext& context) {
  bool has_aggregation =
      context.statement_word() == "printa" && context.from_statement().find('@') != std::string_view::npos;
  return has_aggregation ? "print keys with plain conversions, and the value of the aggregation with `@`: `%@d`" : "";
}

// arg0->name: argN is an untyped number; args[N] has a type.
std::string hint_on_raw_argument(const SourceContext& context) {
  std::string_view word = context.word();
  bool is_argument = word.size() == 4 && word.starts_with("arg") && word[3] >= '0' && word[3] <= '9';
  return is_argument
             ? fmt::format("`{}` is an untyped number; use `args[{}]` if the probe has typed arguments", word, word[3])
             : "";
}

std::string hint_on_unit(Tag tag, const SourceContext& context) {
  switch (tag) {
    case Tag::D_MACRO_UNUSED: return "use it in the program as a macro argument, or allow it with -x argref";
    case Tag::D_INT_DIGIT: return "a number with a leading 0 is octal";
    case Tag::D_DECL_COMBO: return context.previous_character() == '}' ? "add a `;` after the `}`" : "";
    case Tag::D_STR_NL: return "end the string on its line; write a newline in it as `\\n`";
    case Tag::D_TRACE_DYN: return "print aggregations with printa(): `printa(@a)`";
    case Tag::D_AGG_NULL: return "update an aggregation in a statement: `@name[key] = count();`";
    case Tag::D_PRINTF_ARG_PROTO: return hint_on_missing_value(context);
    case Tag::D_OP_PTR: return hint_on_raw_argument(context);
    case Tag::D_DEREF_NONPTR:
      return "cast it to a pointer: `*(int *)arg0` reads the kernel; copyin() reads the memory of the process";
    case Tag::D_PROC_BADPID:
      return context.marked().starts_with("pid:")
                 ? "name the process: `pid$target:libc.so.6:malloc:entry` with -p PID or "
                   "-c COMMAND, or its number: `pid1234:...`"
                 : "";
    case Tag::D_CHR_OFLOW: return "put text in double quotes";
    case Tag::D_EMPTY: return "write at least one clause: `BEGIN { trace(1); }`";
    default: return "";
  }
}

std::string hint_on_error(const Diagnostic& error, const SourceContext& context) {
  if (std::string hint = hint_on_aggregation(error.tag, context); !hint.empty()) return hint;
  switch (error.tag) {
    case Tag::D_SYNTAX:
      // In later phases, D_SYNTAX is an error in a format string.
      if (error.message.starts_with("floating-point"))
        return "use integers, and multiply before you divide: `x * 15 / 10` for 1.5 times x";
      return error.phase == DiagnosticPhase::Parse ? hint_on_syntax(context) : "";
    case Tag::D_MACRO_UNDEF: return hint_on_macro(context);
    case Tag::D_IDENT_UNDEF: return hint_on_undefined(context);
    case Tag::D_VAR_UNDEF: return hint_on_unassigned(context);
    case Tag::D_PROTO_ARG: return hint_on_argument(error.message);
    case Tag::D_PROTO_LEN:
      return error.message.find("] prototype mismatch") != std::string::npos ? std::string(hint_on_keys) : "";
    case Tag::D_CG_EXPR:
      return error.message.starts_with("aggregating") ? "assign its result to an aggregation: `@name[key] = count();`"
                                                      : "";
    case Tag::D_PDESC_INVAL:
      return error.message.find("Undefined macro") == std::string::npos
                 ? ""
                 : "pass $1, $2 ... after the programs, and $target with -p or -c";
    default: return hint_on_unit(error.tag, context);
  }
}

}  // namespace

std::vector<std::string> advice(const Diagnostics& diagnostics, std::string_view solaris) {
  const Diagnostic& error = diagnostics.first();
  // Generated text. To look for foreign probes in a line takes quadratic time.
  constexpr size_t max_line_length = 4096;
  const SourceSet& sources = diagnostics.sources();
  bool is_generated = sources.size() != 0 && sources.locate(error.at.range.begin).line_text.size() > max_line_length;
  if (is_generated) return error.hint.empty() ? std::vector<std::string>{} : std::vector<std::string>{error.hint};
  SourceContext context(diagnostics.sources(), error);
  std::vector<std::string> hints;
  // The D equivalent of another tracer's word is a better hint than a similar D word.
  std::string hint = hint_on_solaris(error.tag, context, solaris);
  if (hint.empty()) hint = hint_on_word(error.tag, context);
  if (hint.empty()) hint = hint_on_quotes(error.tag, context);
  if (hint.empty()) hint = hint_on_pattern(error.tag, context);
  if (hint.empty()) hint = hint_on_interval(error.tag, context);
  if (hint.empty()) hint = hint_on_assigned_later(error.tag, context);
  if (hint.empty()) hint = error.hint;
  if (hint.empty()) hint = hint_on_error(error, context);
  WordHint probe = hint_on_probe(context);
  // If the whole description is bpftrace's, similar names are no help.
  bool is_whole_description = error.tag == Tag::D_PDESC_ZERO && context.marked() == probe.word;
  if (!hint.empty() && !is_whole_description) hints.push_back(std::move(hint));
  if (!probe.hint.empty()) hints.push_back(std::move(probe.hint));
  return hints;
}

}  // namespace dscope
