// The grammar of units and clauses. Constructs the parser classes and connects them.
#include "frontend/syntax/parser.h"

#include "frontend/syntax/control_lines.h"
#include "frontend/syntax/declaration_parser.h"
#include "frontend/syntax/declarator_parser.h"
#include "frontend/syntax/expression_parser.h"
#include "frontend/syntax/known_names.h"
#include "frontend/syntax/macro_expander.h"
#include "frontend/syntax/probe_specifier_parser.h"
#include "frontend/syntax/specifier_parser.h"
#include "frontend/syntax/statement_parser.h"
#include "frontend/syntax/token_reader.h"

namespace dscope {

namespace {

// Some members refer to members that are constructed later: their constructors only store the references.
struct UnitReaders {
  UnitReaders(Program& program, UnitId id, const ParseContext& context, const ParseOptions& options,
              Diagnostics& diagnostics)
      : source(diagnostics.sources().unit(id)),
        names(program, context),
        macros(source, context, options, tokens),
        control_lines(unit, source, context, diagnostics, tokens, macros),
        tokens(program.max_levels, source, context, options, diagnostics, names, macros, control_lines) {
    unit.source = id;
  }

  ProgramUnit unit;
  const SourceUnit& source;
  KnownNames names;
  MacroExpander macros;
  ControlLines control_lines;
  TokenReader tokens;
};

class UnitParser : private UnitReaders, private GrammarPart {
 public:
  UnitParser(Program& program, UnitId id, const ParseContext& context, const ParseOptions& options,
             Diagnostics& diagnostics)
      : UnitReaders(program, id, context, options, diagnostics),
        GrammarPart(GrammarContext{program, UnitReaders::source, diagnostics, tokens, names}),
        context_(context),
        options_(options) {}

  void parse();

 private:
  void parse_external();
  void check_end();
  void report_at_end(Tag tag, std::string message);
  void add_external(uint32_t begin, decltype(External::form) form);
  void parse_clause();
  void parse_action_list(Clause& clause);
  void report_missing_actions();

  GrammarContext grammar() { return {program_, source_, diagnostics_, tokens_, names_}; }

  const ParseContext& context_;
  const ParseOptions& options_;
  ProgramUnit& unit_ = UnitReaders::unit;
  MacroExpander& macros_ = UnitReaders::macros;
  ControlLines& control_lines_ = UnitReaders::control_lines;
  bool has_definition_ = false;  // D_EMPTY
  bool in_header_ = false;       // the current construct began in an included file

  ExpressionParser expressions_{grammar(), specifiers_, declarators_};
  SpecifierParser specifiers_{grammar(), declarators_, expressions_};
  DeclaratorParser declarators_{grammar(), specifiers_, expressions_};
  StatementParser statements_{grammar(), expressions_};
  DeclarationParser declarations_{grammar(), specifiers_, declarators_, expressions_};
  ProbeSpecifierParser probe_specifiers_{grammar(), macros_};
};

// unit = { external } ;
void UnitParser::parse() {
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  for (enter(LexMode::Outer); !at(TokenKind::EndOfFile); tokens_.leave_to_outer()) parse_external();
  unit_.end = peek().at();
  if (!failed()) check_end();
  program_.units.push_back(std::move(unit_));
}

// external = inline-def | translator-def | provider-def | clause | declaration ;
void UnitParser::parse_external() {
  in_header_ = control_lines_.in_header();
  uint32_t begin = peek().range.begin;
  switch (peek().kind) {
    case TokenKind::ProbeWord:
    case TokenKind::Integer: return parse_clause();
    case TokenKind::KeyInline: return add_external(begin, declarations_.parse_inline());
    case TokenKind::KeyTranslator: return add_external(begin, declarations_.parse_translator());
    case TokenKind::KeyProvider:
      return add_external(begin, declarations_.parse_provider(options_.accepts_unknown_types));
    default: break;
  }
  if (peek().kind == TokenKind::TypeWord || outer_keyword_kind(to_string(peek().kind)) == peek().kind)
    return add_external(begin, declarations_.parse_declaration());
  syntax_error(peek());
}

// Reports mistakes that show only at the end of the unit (d-language.md 0, P3), after all its definitions took effect.
void UnitParser::check_end() {
  const std::vector<std::string>& arguments = context_.macros.arguments;
  // The driver compared the arguments with the declared ones.
  bool are_declared = macros_.has_options() || !context_.macros.options.empty();
  bool takes_arguments = source_.kind != UnitKind::Library && !arguments.empty() && !are_declared;
  if (takes_arguments && !macros_.is_last_argument_used() && !options_.allow_unused_argument)
    return report_at_end(Tag::D_MACRO_UNUSED, fmt::format("extraneous argument '{}' (${} is not referenced)",
                                                          arguments.back(), arguments.size()));
  bool may_be_empty = options_.allow_empty || source_.kind == UnitKind::Library;
  if (!has_definition_ && !may_be_empty)
    report_at_end(Tag::D_EMPTY, "the program has no clause, inline, translator or provider definition");
}

void UnitParser::report_at_end(Tag tag, std::string message) {
  Diagnostic diagnostic{.tag = tag, .message = std::move(message), .at = unit_.end, .hint = {}};
  if (unit_.externals.empty()) error(tag, unit_.end, "{}", diagnostic.message);
  else unit_.end_mistake = std::move(diagnostic);
}

void UnitParser::add_external(uint32_t begin, decltype(External::form) form) {
  has_definition_ = has_definition_ || !std::holds_alternative<Declaration>(form);
  unit_.externals.push_back({.at = position_since(begin), .in_header = in_header_, .form = std::move(form)});
}

// clause = specifier-list [ "/" expression "/" ] body | specifier-list (string units only) ;
void UnitParser::parse_clause() {
  uint32_t begin = peek().range.begin;
  Clause clause;
  clause.first_node = {program_.node_count};
  expressions_.begin_clause();
  do {
    std::optional<ProbeSpecifier> specifier = probe_specifiers_.parse_specifier(context_.has_probe);
    if (specifier) clause.probes.push_back(std::move(*specifier));
  } while (accept(TokenKind::Comma));

  tokens_.start_expressions();
  bool has_predicate = at(TokenKind::Slash);
  if (has_predicate) {
    enter(LexMode::Predicate);
    take();
    clause.predicate = expressions_.parse_expression();
    expect(TokenKind::PredicateEnd);
    enter(LexMode::Inner);
  }
  if (at(TokenKind::LeftBrace)) parse_action_list(clause);
  else if (has_predicate) report_missing_actions();
  else if (source_.kind != UnitKind::String) syntax_error(peek());
  clause.end_node = {program_.node_count};
  expressions_.end_clause();
  add_external(begin, std::move(clause));
}

void UnitParser::report_missing_actions() {
  if (failed()) return;
  error(Tag::D_SYNTAX, peek().at(), "actions expected after the predicate");
  diagnostics_.hint("put actions in braces: `BEGIN /pid == 1/ { trace(execname); }`");
}

// body = "{" [ statement ] { ";" [ statement ] } "}" ;
void UnitParser::parse_action_list(Clause& clause) {
  enter(LexMode::Inner);
  expect(TokenKind::LeftBrace);
  clause.body = statements_.parse_statements();
  expect(TokenKind::RightBrace);
}

}  // namespace

void parse_unit(Program& program, UnitId unit, const ParseContext& context, Diagnostics& diagnostics) {
  ParseOptions default_options;
  UnitParser{program, unit, context, context.options != nullptr ? *context.options : default_options, diagnostics}
      .parse();
}

}  // namespace dscope
