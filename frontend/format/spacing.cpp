#include "frontend/format/spacing.h"

#include <algorithm>
#include <optional>

namespace dscope {

namespace {

constexpr std::string_view punctuators[] = {
#define DS_PUNCTUATOR(kind, text) text,
#include "frontend/syntax/token.def"
};

// Whether the lexer would read the end of one punctuator and the start of the next as a longer one, or as a comment.
bool would_merge(std::string_view left, std::string_view right) {
  std::string joined = std::string(left) + std::string(right);
  if (joined.starts_with("/*") || joined.starts_with("//")) return true;
  return std::ranges::any_of(
      punctuators, [&](std::string_view text) { return text.size() > left.size() && joined.starts_with(text); });
}

bool is_keyword(TokenKind kind) { return kind >= TokenKind::KeyAuto; }

bool is_type_keyword(TokenKind kind) {
  switch (kind) {
    case TokenKind::KeyChar:
    case TokenKind::KeyConst:
    case TokenKind::KeyDouble:
    case TokenKind::KeyEnum:
    case TokenKind::KeyFloat:
    case TokenKind::KeyInt:
    case TokenKind::KeyLong:
    case TokenKind::KeyShort:
    case TokenKind::KeySigned:
    case TokenKind::KeyString:
    case TokenKind::KeyStruct:
    case TokenKind::KeyUnion:
    case TokenKind::KeyUnsigned:
    case TokenKind::KeyVoid:
    case TokenKind::KeyVolatile: return true;
    default: return false;
  }
}

// Words, numbers, strings, macros: two of them in a row need a blank.
bool is_word(TokenKind kind) {
  switch (kind) {
    case TokenKind::OuterWord:
    case TokenKind::ProbeWord:
    case TokenKind::Identifier:
    case TokenKind::TypeWord:
    case TokenKind::Integer:
    case TokenKind::String:
    case TokenKind::Aggregation:
    case TokenKind::MacroArgument:
    case TokenKind::MacroVariable: return true;
    default: return is_keyword(kind);
  }
}

// Whether the operator is a prefix behind a token that ends an operand, or does not.
bool is_prefix_of(TokenKind kind, bool ended_operand) {
  switch (kind) {
    case TokenKind::Not:
    case TokenKind::Tilde: return true;
    case TokenKind::Plus:
    case TokenKind::Minus:
    case TokenKind::Ampersand:
    case TokenKind::Star:
    case TokenKind::Increment:
    case TokenKind::Decrement: return !ended_operand;
    default: return false;
  }
}

struct Bracket {
  TokenKind kind{};
  size_t item = 0;
  bool is_condition = false;   // of if
  bool may_be_cast = false;    // `(` where an operand begins
  bool is_cast = false;        // contains a type so far
  uint32_t ternaries = 0;      // `?` without its `:`
  bool in_expression = false;  // after `=`
};

class Spacing {
 public:
  explicit Spacing(const Scan& scan) : scan_(scan), result_(scan.items.size()) { open_.push_back({}); }

  std::vector<ItemSpacing> run() {
    for (size_t i = 0; i < scan_.items.size(); ++i) {
      if (scan_.items[i].kind != ItemKind::Token) continue;
      visit(i);
      previous_ = i;
    }
    return std::move(result_);
  }

 private:
  void visit(size_t i);
  bool has_space(size_t i);
  bool has_space_before_paren(size_t i) const;
  void follow(size_t i);
  void close(size_t i, TokenKind opener);
  void open(size_t i);
  bool is_pointer_star(size_t i) const;
  bool is_adjacent(size_t i) const;
  const ScannedItem& item(size_t i) const { return scan_.items[i]; }
  TokenKind kind_before() const { return previous_ ? item(*previous_).token : TokenKind::EndOfFile; }

  const Scan& scan_;
  std::vector<ItemSpacing> result_;
  std::vector<Bracket> open_;
  std::optional<size_t> previous_;  // the token before
  bool ends_operand_ = false;       // an operator after the previous token is binary
  bool ended_operand_ = false;      // the same, before the previous token
  bool is_tight_ = false;           // no blank after the previous token
  bool closed_condition_ = false;   // the previous token ends the condition of if
  bool closed_cast_ = false;        // the previous token ends a cast
  bool loose_colon_ = false;        // the previous token is a colon outside of `? :`
};

// Whether the text has nothing between this token and the one before.
bool Spacing::is_adjacent(size_t i) const { return previous_ && item(*previous_).range.end == item(i).range.begin; }

// `*` of a declarator or of a type in parentheses, not of an expression.
bool Spacing::is_pointer_star(size_t i) const {
  TokenKind before = kind_before();
  bool follows_type = before == TokenKind::TypeWord || is_type_keyword(before);
  if (follows_type) return true;
  if (before == TokenKind::Integer) return false;
  if (item(i).place == Place::Declaration && !open_.back().in_expression) return true;
  for (size_t at = i + 1; at < scan_.items.size(); ++at) {
    if (item(at).kind != ItemKind::Token || item(at).token == TokenKind::Star) continue;
    bool closes_type = item(at).token == TokenKind::RightParen ||
                       (item(at).token == TokenKind::Greater && open_.back().kind == TokenKind::Less);
    return closes_type && ends_operand_;
  }
  return false;
}

bool Spacing::has_space_before_paren(size_t i) const {
  TokenKind before = kind_before();
  switch (before) {
    case TokenKind::KeySizeof:
    case TokenKind::KeyStringof:
    case TokenKind::KeyOffsetof:
    case TokenKind::Identifier:
    case TokenKind::RightBracket:
    case TokenKind::Aggregation: return false;
    case TokenKind::RightParen: return closed_condition_;
    case TokenKind::KeyIf:
    case TokenKind::KeyElse:
    case TokenKind::KeyFor:
    case TokenKind::KeyWhile:
    case TokenKind::KeySwitch:
    case TokenKind::KeyReturn: return true;
    default: return is_word(before) ? !is_adjacent(i) : true;
  }
}

// Whether a blank separates item `i` from the token before it.
bool Spacing::has_space(size_t i) {
  TokenKind kind = item(i).token, before = kind_before();
  if (!previous_) return false;
  bool are_outer_words = item(i).place == Place::Outer && is_word(kind) && is_word(before);
  if (are_outer_words || kind == TokenKind::Invalid || before == TokenKind::Invalid) return !is_adjacent(i);
  switch (kind) {
    case TokenKind::Semicolon: return before == TokenKind::LeftBrace || before == TokenKind::Semicolon;
    case TokenKind::Comma:
    case TokenKind::RightParen:
    case TokenKind::RightBracket:
    case TokenKind::PredicateEnd: return false;
    case TokenKind::Dot:
    case TokenKind::Arrow: return before == TokenKind::Integer && !is_adjacent(i);
    case TokenKind::RightBrace:
    case TokenKind::LeftBrace: return true;
    default: break;
  }
  if (is_tight_ || closed_cast_) return false;
  // (foo_t)x: only a cast precedes an operand.
  if (is_word(kind) && before == TokenKind::RightParen && !closed_condition_) return false;
  switch (kind) {
    case TokenKind::LeftParen: return has_space_before_paren(i);
    case TokenKind::LeftBracket:
      return !is_word(before) && before != TokenKind::RightParen && before != TokenKind::RightBracket;
    case TokenKind::Increment:
    case TokenKind::Decrement: return !ends_operand_;
    default: return true;
  }
}

void Spacing::open(size_t i) {
  Bracket bracket{.kind = item(i).token, .item = i};
  bracket.is_condition = item(i).token == TokenKind::LeftParen && kind_before() == TokenKind::KeyIf;
  bracket.may_be_cast = !ended_operand_ && kind_before() != TokenKind::KeySizeof &&
                        kind_before() != TokenKind::KeyOffsetof && kind_before() != TokenKind::KeyStringof;
  // An array size or an argument is an expression; parameters in parentheses and brackets are declarations.
  bracket.in_expression = open_.back().in_expression && item(i).token != TokenKind::LeftBrace;
  open_.push_back(bracket);
}

void Spacing::close(size_t i, TokenKind opener) {
  while (open_.size() > 1 && open_.back().kind != opener && opener == TokenKind::LeftBrace) open_.pop_back();
  if (open_.back().kind != opener) return;
  Bracket closed = open_.back();
  open_.pop_back();
  closed_condition_ = closed.is_condition;
  closed_cast_ = closed.is_cast && closed.may_be_cast;
  ends_operand_ = !closed.is_condition && !closed_cast_ && opener != TokenKind::LeftBrace;
  result_[i].closes_condition = closed.is_condition;
  if (opener == TokenKind::LeftBrace) result_[closed.item].match = static_cast<uint32_t>(i);
}

// Follows brackets and operands behind item `i`.
void Spacing::follow(size_t i) {
  TokenKind kind = item(i).token;
  bool is_in_parens = open_.back().kind == TokenKind::LeftParen;
  switch (kind) {
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket: open(i); break;
    case TokenKind::LeftBrace: {
      // enum { or enum name {
      size_t first = i;
      for (int back = 0; back < 2 && first > 0; ++back)
        result_[i].opens_enum |= item(--first).token == TokenKind::KeyEnum;
      open(i);
      break;
    }
    case TokenKind::RightParen: close(i, TokenKind::LeftParen); break;
    case TokenKind::RightBracket: close(i, TokenKind::LeftBracket); break;
    case TokenKind::RightBrace: close(i, TokenKind::LeftBrace); break;
    case TokenKind::Semicolon:
      while (open_.size() > 1 && open_.back().kind != TokenKind::LeftBrace) open_.pop_back();
      open_.back().ternaries = 0;
      open_.back().in_expression = false;
      break;
    case TokenKind::Assign: open_.back().in_expression = true; break;
    case TokenKind::Question: ++open_.back().ternaries; break;
    case TokenKind::TypeWord: open_.back().is_cast |= is_in_parens; break;
    default: open_.back().is_cast |= is_in_parens && is_type_keyword(kind); break;
  }
}

void Spacing::visit(size_t i) {
  TokenKind kind = item(i).token, before = kind_before();
  ItemSpacing& spacing = result_[i];
  ended_operand_ = ends_operand_;
  bool is_pointer = kind == TokenKind::Star && is_pointer_star(i);
  bool opens_type = kind == TokenKind::Less && before == TokenKind::KeyXlate;
  bool closes_type = kind == TokenKind::Greater && open_.back().kind == TokenKind::Less;
  bool is_loose_colon = kind == TokenKind::Colon && open_.back().ternaries == 0;
  spacing.opens_predicate = kind == TokenKind::Slash && item(i).place == Place::Predicate &&
                            (!previous_ || item(*previous_).place != Place::Predicate);
  spacing.has_space_before = has_space(i);
  if (is_pointer && before == TokenKind::Star) spacing.has_space_before = false;
  if (closes_type) spacing.has_space_before = false;
  if (is_loose_colon || (before == TokenKind::Colon && loose_colon_)) spacing.has_space_before = !is_adjacent(i);
  if (kind == TokenKind::Colon && !is_loose_colon) --open_.back().ternaries;
  if (previous_ && !spacing.has_space_before && !is_word(kind) && !is_word(before))
    spacing.has_space_before = would_merge(scan_.text_of(item(*previous_)), scan_.text_of(item(i)));

  closed_condition_ = closed_cast_ = false;
  bool is_increment = kind == TokenKind::Increment || kind == TokenKind::Decrement;
  ends_operand_ = (is_word(kind) && (!is_keyword(kind) || kind == TokenKind::KeySelf || kind == TokenKind::KeyThis)) ||
                  (is_increment && ended_operand_);
  bool is_prefix_operator = !is_pointer && is_prefix_of(kind, ended_operand_);
  is_tight_ = kind == TokenKind::LeftParen || kind == TokenKind::LeftBracket || kind == TokenKind::Dot ||
              kind == TokenKind::Arrow || is_pointer || is_prefix_operator || opens_type || spacing.opens_predicate;
  loose_colon_ = is_loose_colon;
  // A cast to a type that is not a keyword: (foo_t *)x, (foo_t)x.
  if (is_pointer && open_.back().kind == TokenKind::LeftParen) open_.back().is_cast = true;
  if (opens_type) open_.push_back({.kind = TokenKind::Less, .item = i});
  if (closes_type) open_.pop_back();
  follow(i);
}

}  // namespace

std::vector<ItemSpacing> find_spacing(const Scan& scan) { return Spacing(scan).run(); }

}  // namespace dscope
