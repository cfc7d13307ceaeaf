#include "frontend/syntax/token_reader.h"

#include "frontend/syntax/control_lines.h"
#include "frontend/syntax/known_names.h"
#include "frontend/syntax/macro_expander.h"
#include "frontend/syntax/process_word.h"
#include "support/check.h"
#include "support/text/words.h"

namespace dscope {

Nesting::Nesting(TokenReader& tokens) : tokens_(tokens) {
  if (++tokens_.depth_ > tokens_.max_levels_) tokens_.report_nesting();
}

TokenReader::TokenReader(uint32_t max_levels, const SourceUnit& source, const ParseContext& context,
                         const ParseOptions& options, Diagnostics& diagnostics, KnownNames& names,
                         MacroExpander& macros, ControlLines& control_lines)
    : max_levels_(max_levels),
      source_(source),
      context_(context),
      options_(options),
      diagnostics_(diagnostics),
      names_(names),
      macros_(macros),
      control_lines_(control_lines),
      lexer_(source, diagnostics) {}

LexMode TokenReader::mode() const {
  if (mode_ == LexMode::Predicate && parens_ + brackets_ > 0) return LexMode::PredicateNested;
  return mode_;
}

const Token& TokenReader::peek() {
  if (peeked_) return *peeked_;
  peeked_ = lex();
  if (context_.tokens != nullptr) context_.tokens->push_back(*peeked_);
  return *peeked_;
}

// Returns the next token of the grammar. Applies control lines and replaces macros on the way.
Token TokenReader::lex() {
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
        control_lines_.apply(token);
        continue;
      case TokenKind::OuterWord: return classify_outer_word(std::move(token));
      case TokenKind::MacroArgument:
      case TokenKind::MacroVariable: return macros_.expand(std::move(token));
      case TokenKind::Identifier:
        if (is_process_word(token.text)) return macros_.expand_process_word(std::move(token));
        classify_identifier(token);
        return token;
      default: return token;
    }
  }
}

Token TokenReader::take() {
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

bool TokenReader::accept(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Token TokenReader::expect(TokenKind kind) {
  if (!at(kind)) syntax_error(peek());
  return take();
}

Token TokenReader::expect_member_name() {
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

void TokenReader::leave_to_outer() {
  enter(LexMode::Outer);
  parens_ = brackets_ = 0;
  in_expressions_ = false;
  names_.clear_shadows();
}

void TokenReader::stop() {
  failed_ = true;
  lexer_.stop();
  pending_.reset();
  Token end;
  end.range = last_.range;
  end.line = last_.line;
  end.file = last_.file;
  peeked_ = end;
}

void TokenReader::syntax_error(const Token& near) {
  if (failed_) return;
  Position at = near.at();
  if (near.kind == TokenKind::EndOfFile) return error(Tag::D_SYNTAX, at, "syntax error near end of input");
  // DTrace shows a word that look-ahead classified together with the text after it (d-language.md 10.2).
  std::string_view text =
      near.by_look_ahead
          ? lexer_.rest_of_line(at.range.begin)
          : std::string_view(source_.text).substr(at.range.begin - source_.base, at.range.end - at.range.begin);
  error(Tag::D_SYNTAX, at, "syntax error near \"{}\"", printable(text));
}

void TokenReader::report_nesting() {
  if (!failed_) error(Tag::D_SYNTAX, peek().at(), "program is nested too deeply");
}

Position TokenReader::position_since(uint32_t begin) const {
  return {.range = {begin, std::max(begin, last_.range.end)}, .line = last_.line, .file = last_.file};
}

Position TokenReader::position_before_next(uint32_t begin) {
  Position position = position_since(begin);
  position.line = peek().line;
  position.file = peek().file;
  return position;
}

// Step 6 of d-language.md 1.2, for the last lexed token.
bool TokenReader::is_identifier_by_look_ahead() const {
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

// Runs once for each identifier, right after the lexer returned it.
void TokenReader::classify_identifier(Token& token) {
  bool is_tag =
      last_kind_ == TokenKind::KeyStruct || last_kind_ == TokenKind::KeyUnion || last_kind_ == TokenKind::KeyEnum;
  if (mode_ == LexMode::Member || is_tag || names_.is_identifier(token.text)) return;
  token.by_look_ahead = true;
  if (in_expressions_ && is_identifier_by_look_ahead()) names_.add_identifier(token.text);
}

bool TokenReader::names_type(const Token& token) {
  if (token.kind == TokenKind::TypeWord) return true;
  if (token.kind != TokenKind::Identifier) return false;
  // `userland` is a specifier only where the type it describes follows: userland char *
  char following = lexer_.peek_characters().first;
  if (token.text == "userland" && is_word_start(following)) return true;
  // The pseudo objects C and D contain only types.
  if (token.text.starts_with("C`") || token.text.starts_with("D`")) return true;
  if (is_process_word(token.text)) return true;
  // (mod`type *): only a type can precede `*` and `)`.
  if (is_scoped(token.text)) return lexer_.has_only_stars_before_paren() || names_.is_type(token.text);
  if (names_.is_identifier(token.text) || is_identifier_by_look_ahead()) return false;
  return names_.is_type(token.text);
}

void TokenReader::reject_scoped(const Token& name) {
  if (is_scoped(name.text) && !failed_)
    error(Tag::D_DECL_SCOPE, name.at(), "the scoping operator ` cannot be used in the declared name {}", name.text);
}

// Classifies the word as keyword, type name or specifier, in the order of d-language.md 1.2.
Token TokenReader::classify_outer_word(Token word) {
  std::string_view text = word.text;
  if (TokenKind keyword = outer_keyword_kind(text); keyword != TokenKind::Identifier) {
    word.kind = keyword;
    return word;
  }
  // Another word may follow the first word of a declaration, but never a specifier: userland struct foo *x; pid$1`foo
  // x;
  char following = lexer_.peek_characters().first;
  size_t process_type = process_word_length(text);
  bool is_declared =
      process_type == text.size() ? is_word_start(following) || following == '*' : text[process_type] == '*';
  if (process_type > 0 && is_declared) return split_process_type(std::move(word), process_type);
  if (text == "userland" && is_word_start(following)) {
    word.kind = TokenKind::TypeWord;
    return word;
  }
  word.kind = TokenKind::ProbeWord;
  if (options_.probe_specifiers || source_.kind == UnitKind::String) return word;
  if (text.find_first_of(":-.?!`") != std::string_view::npos) return word;
  if (text == "BEGIN" || text == "END" || text == "ERROR") return word;

  std::string_view prefix = type_prefix(text);
  if (prefix.empty()) return word;
  TokenKind keyword = outer_keyword_kind(prefix);
  word.kind = keyword != TokenKind::Identifier ? keyword : TokenKind::TypeWord;
  word.range.end = word.range.begin + static_cast<uint32_t>(prefix.size());
  lexer_.rewind(word.range.end);
  word.text.resize(prefix.size());
  return word;
}

// Returns the first `length` characters of `word` as a type name and moves the lexer back to the rest.
Token TokenReader::split_process_type(Token word, size_t length) {
  word.range.end = word.range.begin + static_cast<uint32_t>(length);
  lexer_.rewind(word.range.end);
  word.text.resize(length);
  word.kind = TokenKind::TypeWord;
  return macros_.expand_process_word(std::move(word));
}

// Returns the part of `int*x`, `pid_t*x` or `pid_t` that names a type; empty if there is none.
std::string_view TokenReader::type_prefix(std::string_view word) {
  std::string_view prefix = word.substr(0, word.find('*', 1));
  bool is_basic_type = false;
  switch (outer_keyword_kind(prefix)) {
    case TokenKind::KeyChar:
    case TokenKind::KeyDouble:
    case TokenKind::KeyFloat:
    case TokenKind::KeyInt:
    case TokenKind::KeyLong:
    case TokenKind::KeyShort:
    case TokenKind::KeySigned:
    case TokenKind::KeyString:
    case TokenKind::KeyUnsigned:
    case TokenKind::KeyVoid: is_basic_type = true; break;
    default: break;
  }
  return is_basic_type || names_.is_type(std::string(prefix)) ? prefix : std::string_view{};
}

}  // namespace dscope
