// parse_unit() and what all grammar functions share: tokens, errors, and the choice between identifier and type name.
#include "frontend/syntax/parser_impl.h"
#include "frontend/syntax/process_word.h"
#include "support/check.h"
#include "support/words.h"

namespace dscope {

void parse_unit(Program& program, UnitId unit, const ParseContext& context, Diagnostics& diagnostics) {
  Parser{program, unit, context, diagnostics}.parse();
}

Parser::Parser(Program& program, UnitId unit, const ParseContext& context, Diagnostics& diagnostics)
    : program_(program),
      source_(diagnostics.sources().unit(unit)),
      context_(context),
      options_(context.options != nullptr ? *context.options : fallback_options_),
      diagnostics_(diagnostics),
      lexer_(source_, diagnostics),
      first_node_(program.node_count) {
  unit_.source = unit;
  learn_names(program);
}

// unit = { external } ;
void Parser::parse() {
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  for (enter(LexMode::Outer); !at(TokenKind::EndOfFile); leave_to_outer()) parse_external();
  unit_.end = peek().at();
  if (!failed_) check_end();
  program_.units.push_back(std::move(unit_));
}

// external = inline-def | translator-def | provider-def | clause | declaration ;
void Parser::parse_external() {
  in_header_ = header_depth_ > 0;
  switch (peek().kind) {
    case TokenKind::ProbeWord:
    case TokenKind::Integer: return parse_clause();
    case TokenKind::KeyInline: return parse_inline();
    case TokenKind::KeyTranslator: return parse_translator();
    case TokenKind::KeyProvider: return parse_provider();
    default: break;
  }
  if (peek().kind == TokenKind::TypeWord || outer_keyword_kind(to_string(peek().kind)) == peek().kind)
    return parse_declaration();
  syntax_error(peek());
}

// Mistakes that show only at the end of the unit (d-language.md 0, P3), when all that it defines has taken effect.
void Parser::check_end() {
  const std::vector<std::string>& arguments = context_.macros.arguments;
  bool takes_arguments = source_.kind != UnitKind::Library && !arguments.empty();
  if (takes_arguments && !last_argument_used_ && !options_.allow_unused_argument)
    return end_mistake(Tag::D_MACRO_UNUSED, fmt::format("extraneous argument '{}' (${} is not referenced)",
                                                        arguments.back(), arguments.size()));
  bool may_be_empty = options_.allow_empty || source_.kind == UnitKind::Library;
  if (!has_definition_ && !may_be_empty)
    end_mistake(Tag::D_EMPTY, "the program has no clause, inline, translator or provider definition");
}

void Parser::end_mistake(Tag tag, std::string message) {
  Diagnostic diagnostic{.tag = tag, .message = std::move(message), .at = unit_.end, .hint = {}};
  if (unit_.externals.empty()) error(tag, unit_.end, "{}", diagnostic.message);
  else unit_.end_mistake = std::move(diagnostic);
}

void Parser::add_external(uint32_t begin, decltype(External::form) form) {
  has_definition_ = has_definition_ || !std::holds_alternative<Declaration>(form);
  unit_.externals.push_back({.at = place_since(begin), .in_header = in_header_, .form = std::move(form)});
}

// ---------------------------------------------------------------- tokens

LexMode Parser::mode() const {
  if (mode_ == LexMode::Predicate && parens_ + brackets_ > 0) return LexMode::PredicateNested;
  return mode_;
}

const Token& Parser::peek() {
  if (peeked_) return *peeked_;
  peeked_ = lex();
  if (context_.tokens != nullptr) context_.tokens->push_back(*peeked_);
  return *peeked_;
}

// The next token that belongs to the grammar: control lines are obeyed and macros replaced here.
Token Parser::lex() {
  if (pending_) {
    Token token = std::move(*pending_);
    pending_.reset();
    return token;
  }
  for (;;) {
    Token token = lexer_.next(mode());
    if (diagnostics_.has_errors() && !failed_) {
      stop();
      return *peeked_;
    }
    switch (token.kind) {
      case TokenKind::ControlLine:
        if (context_.tokens != nullptr) context_.tokens->push_back(token);
        control_line(token);
        continue;
      case TokenKind::OuterWord: return classify_outer_word(std::move(token));
      case TokenKind::MacroArgument:
      case TokenKind::MacroVariable: return expand_macro(std::move(token));
      case TokenKind::Identifier:
        if (is_process_word(token.text)) return expand_process_word(std::move(token));
        classify_identifier(token);
        return token;
      default: return token;
    }
  }
}

Token Parser::take() {
  peek();
  Token token = std::move(*peeked_);
  peeked_.reset();
  last_ = token.at();
  last_kind_ = token.kind;
  switch (token.kind) {
    case TokenKind::LeftParen: ++parens_; break;
    case TokenKind::LeftBracket: ++brackets_; break;
    case TokenKind::RightParen: parens_ -= parens_ > 0; break;
    case TokenKind::RightBracket: brackets_ -= brackets_ > 0; break;
    default: break;
  }
  return token;
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Token Parser::expect(TokenKind kind) {
  if (!at(kind)) syntax_error(peek());
  return take();
}

// The word behind `.`, `->` or in offsetof: no keyword has a meaning there.
Token Parser::expect_member_name() {
  DS_CHECK(!peeked_ || failed_);
  if (!failed_) {
    LexMode before = mode_;
    enter(LexMode::Member);
    peek();
    enter(before);
  }
  Token name = expect(TokenKind::Identifier);
  if (is_scoped(name.text)) syntax_error(name);
  return name;
}

// After the last token of a top-level construct.
void Parser::leave_to_outer() {
  enter(LexMode::Outer);
  parens_ = brackets_ = 0;
  in_expressions_ = false;
  shadowing_.clear();
}

// ---------------------------------------------------------------- errors

void Parser::stop() {
  failed_ = true;
  lexer_.stop();
  pending_.reset();
  Token end;
  end.range = last_.range;
  end.line = last_.line;
  end.file = last_.file;
  peeked_ = end;
}

void Parser::syntax_error(const Token& near) {
  if (failed_) return;
  Position at = near.at();
  if (near.kind == TokenKind::EndOfFile) return error(Tag::D_SYNTAX, at, "syntax error near end of input");
  // A word classified by what follows it is shown with what follows (d-language.md 10.2).
  std::string_view text =
      near.by_look_ahead
          ? lexer_.rest_of_line(at.range.begin)
          : std::string_view(source_.text).substr(at.range.begin - source_.base, at.range.end - at.range.begin);
  error(Tag::D_SYNTAX, at, "syntax error near \"{}\"", printable(text));
}

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (++parser_.depth_ > parser_.program_.max_levels) parser_.too_deep();
}

void Parser::too_deep() {
  if (!failed_) error(Tag::D_SYNTAX, peek().at(), "program is nested too deeply");
}

// ---------------------------------------------------------------- places

Position Parser::place_since(uint32_t begin) const {
  return {.range = {begin, std::max(begin, last_.range.end)}, .line = last_.line, .file = last_.file};
}

Position Parser::place_before_next(uint32_t begin) {
  Position place = place_since(begin);
  place.line = peek().line;
  place.file = peek().file;
  return place;
}

// ---------------------------------------------------------------- identifier or type name (d-language.md 1.2)

void Parser::learn_names(const Program& program) {
  for (const ProgramUnit& unit : program.units) {
    for (const External& external : unit.externals) {
      if (const auto* declaration = std::get_if<Declaration>(&external.form)) {
        learn_names(*declaration->specifiers);
        for (const Declarator* declarator : declaration->declarators)
          learn_declared(*declaration->specifiers, *declarator);
      } else if (const auto* definition = std::get_if<InlineDefinition>(&external.form)) {
        learn_declared(*definition->specifiers, *definition->declarator);
      }
    }
  }
}

// Enumerators are identifiers, however deep their enum is buried.
void Parser::learn_names(const DeclSpecifiers& specifiers) {
  const auto* type = std::get_if<TagSpecifier>(&specifiers.type);
  if (type == nullptr) return;
  for (const Enumerator& enumerator : type->enumerators) identifiers_.insert(enumerator.name);
  for (const MemberDecl& member : type->members) learn_names(*member.specifiers);
}

void Parser::learn_declared(const DeclSpecifiers& specifiers, const Declarator& declarator) {
  if (declarator.name.empty()) return;
  bool is_function = !declarator.parts.empty() && std::holds_alternative<FunctionPart>(declarator.parts.front());
  if (specifiers.storage == StorageClass::Typedef) declared_types_.insert(declarator.name);
  else if (specifiers.storage == StorageClass::None && !is_function) identifiers_.insert(declarator.name);
}

// The parameters of an inline are identifiers in its value, whatever types are called.
void Parser::shadow(const Declarator& parameterised) {
  for (const auto& part : parameterised.parts)
    if (const auto* keys = std::get_if<KeysPart>(&part))
      for (const Parameter& key : keys->keys) shadowing_.insert(key.declarator->name);
}

bool Parser::is_known_type(const std::string& name) {
  // D`name and C`name are types of the program itself.
  bool is_own = name.starts_with("D`") || name.starts_with("C`");
  if (declared_types_.contains(is_own ? name.substr(2) : name)) return true;
  if (!context_.is_type) return false;
  auto [place, is_new] = asked_types_.try_emplace(name, false);
  if (is_new) place->second = context_.is_type(name);
  return place->second;
}

bool Parser::is_known_identifier(const std::string& name) {
  if (identifiers_.contains(name) || shadowing_.contains(name)) return true;
  if (!context_.is_identifier) return false;
  auto [place, is_new] = asked_identifiers_.try_emplace(name, false);
  if (is_new) place->second = context_.is_identifier(name);
  return place->second;
}

// Step 6, for the token lexed last.
bool Parser::look_ahead_says_identifier() const {
  auto [first, second] = lexer_.peek_characters();
  switch (first) {
    case '+':
    case '-': return second == first;
    case '=': return second != '=';
    case '[':
    case ';': return true;
    case ',': return parens_ == 0 && !in_declarator_brackets_;
    default: return false;
  }
}

// Called once for each identifier, as soon as it is lexed.
void Parser::classify_identifier(Token& token) {
  bool is_tag =
      last_kind_ == TokenKind::KeyStruct || last_kind_ == TokenKind::KeyUnion || last_kind_ == TokenKind::KeyEnum;
  if (mode_ == LexMode::Member || is_tag || is_known_identifier(token.text)) return;
  token.by_look_ahead = true;
  if (in_expressions_ && look_ahead_says_identifier()) identifiers_.insert(token.text);
}

// Whether `token`, the one lexed last, is the name of a type where a type or an expression may stand.
bool Parser::names_type(const Token& token) {
  if (token.kind == TokenKind::TypeWord) return true;
  if (token.kind != TokenKind::Identifier) return false;
  // `userland` is a specifier only where the type it describes follows: userland char *
  char following = lexer_.peek_characters().first;
  if (token.text == "userland" && is_word_start(following)) return true;
  // The pseudo objects C and D hold types and nothing else.
  if (token.text.starts_with("C`") || token.text.starts_with("D`")) return true;
  if (is_process_word(token.text)) return true;
  // (mod`type *): nothing but a type can stand before `*` and `)`.
  if (is_scoped(token.text)) return lexer_.only_stars_before_paren() || is_known_type(token.text);
  if (is_known_identifier(token.text) || look_ahead_says_identifier()) return false;
  return is_known_type(token.text);
}

// A backquote has no place in a name that is being declared.
void Parser::refuse_scoped(const Token& name) {
  if (is_scoped(name.text) && !failed_)
    error(Tag::D_DECL_SCOPE, name.at(), "the scoping mark ` cannot be used in the declared name {}", name.text);
}

}  // namespace dscope
