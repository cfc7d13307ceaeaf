#include "frontend/scan/scan.h"

#include <algorithm>

#include "frontend/syntax/lexer.h"
#include "frontend/syntax/process_word.h"
#include "support/diagnostic.h"
#include "support/text/words.h"

namespace dscope {

namespace {

bool is_basic_type(TokenKind kind) {
  switch (kind) {
    case TokenKind::KeyChar:
    case TokenKind::KeyDouble:
    case TokenKind::KeyFloat:
    case TokenKind::KeyInt:
    case TokenKind::KeyLong:
    case TokenKind::KeyShort:
    case TokenKind::KeySigned:
    case TokenKind::KeyString:
    case TokenKind::KeyUnsigned:
    case TokenKind::KeyVoid: return true;
    default: return false;
  }
}

// A line that begins with a probe description of at least three parts: `syscall::open:entry`.
bool begins_clause(std::string_view line) {
  size_t end = 0, colons = 0;
  while (end < line.size() && !is_blank(line[end]) && line[end] != ',' && line[end] != '{')
    colons += line[end++] == ':';
  bool is_word = end > 0 && (is_letter(line[0]) || line[0] == ':' || line[0] == '_');
  bool is_ternary = line.substr(0, end).find_first_of("?(\";=@") != std::string_view::npos;
  return is_word && colons >= 2 && !is_ternary;
}

class Scanner {
 public:
  Scanner(Scan& out, OnBrokenText on_broken)
      : out_(out),
        on_broken_(on_broken),
        unit_(sources_.unit(sources_.add(UnitKind::Script, "", out.text))),
        lexer_(unit_, diagnostics_) {}

  void run() {
    while (scan_item()) {
    }
  }

 private:
  // The state that a conditional of the preprocessor saves: each branch starts with it.
  struct State {
    Place place = Place::Outer;
    uint32_t braces = 0;
    uint32_t parens = 0;
    bool expects_member = false;
  };

  bool scan_item();
  void skip_broken(uint32_t begin);
  void add_gap(uint32_t begin, uint32_t end);
  void add_item(ItemKind kind, SourceRange range, TokenKind token = TokenKind::EndOfFile);
  void take_control_line(Token token);
  void follow_conditional(std::string_view line);
  void take(Token token);
  void take_outer(Token& token);
  void take_outer_word(Token& token);
  void count(TokenKind kind);
  LexMode mode() const;
  bool is_at_line_start(uint32_t offset) const { return offset == 0 || out_.text[offset - 1] == '\n'; }

  Scan& out_;
  const OnBrokenText on_broken_;
  SourceSet sources_;
  Diagnostics diagnostics_{sources_};
  const SourceUnit& unit_;
  Lexer lexer_;
  State state_;
  std::vector<State> conditionals_;
  uint32_t end_ = 0;  // of the last item
  uint32_t newlines_ = 0;
};

LexMode Scanner::mode() const {
  if (state_.place == Place::Outer) return LexMode::Outer;
  if (state_.expects_member) return LexMode::Member;
  if (state_.place != Place::Predicate) return LexMode::Inner;
  return state_.parens > 0 ? LexMode::PredicateNested : LexMode::Predicate;
}

void Scanner::add_item(ItemKind kind, SourceRange range, TokenKind token) {
  out_.items.push_back(
      {.kind = kind, .token = token, .place = state_.place, .range = range, .newlines_before = newlines_});
  newlines_ = 0;
  end_ = range.end;
}

// Adds the comments between two tokens.
void Scanner::add_gap(uint32_t begin, uint32_t end) {
  const std::string& text = out_.text;
  for (uint32_t at = begin; at < end;) {
    bool is_block = text.compare(at, 2, "/*") == 0;
    bool is_line = text.compare(at, 2, "//") == 0 || text.compare(at, 2, "#!") == 0;
    if (!is_block && !is_line) {
      newlines_ += text[at++] == '\n';
      continue;
    }
    size_t close = text.find(is_block ? "*/" : "\n", at + (is_block ? 2 : 0));
    auto stop = close == std::string::npos ? end : std::min(end, static_cast<uint32_t>(close) + (is_block ? 2 : 0));
    add_item(is_block ? ItemKind::BlockComment : ItemKind::LineComment, {at, stop});
    at = stop;
  }
}

void Scanner::skip_broken(uint32_t begin) {
  add_gap(end_, begin);
  auto stop = static_cast<uint32_t>(std::min(out_.text.find('\n', begin), out_.text.size()));
  // A comment without an end reaches the end of the text.
  if (out_.text.compare(begin, 2, "/*") == 0 && out_.text.find("*/", begin + 2) == std::string::npos)
    stop = static_cast<uint32_t>(out_.text.size());
  stop = std::max(stop, begin + 1);
  add_item(ItemKind::Broken, {begin, stop});
  lexer_.rewind(stop);
}

// Returns false at the end of the text.
bool Scanner::scan_item() {
  Token token = lexer_.next(mode());
  if (token.kind == TokenKind::EndOfFile) {
    bool is_error = diagnostics_.has_errors();
    const SourceRange broken = is_error ? diagnostics_.first().at.range : token.range;
    if (is_error && !out_.error) {
      out_.error = broken;
      out_.error_message = diagnostics_.first().message;
    }
    diagnostics_.clear();
    if (is_error && on_broken_ == OnBrokenText::Skip && broken.begin < out_.text.size()) {
      skip_broken(broken.begin);
      return true;
    }
    add_gap(end_, token.range.begin);
    return false;
  }
  bool restarts = on_broken_ == OnBrokenText::Skip && state_.place != Place::Outer &&
                  is_at_line_start(token.range.begin) && begins_clause(lexer_.rest_of_line(token.range.begin));
  if (restarts) {
    state_ = {};
    lexer_.rewind(token.range.begin);
    token = lexer_.next(mode());
  }
  add_gap(end_, token.range.begin);
  if (token.kind == TokenKind::ControlLine) take_control_line(std::move(token));
  else take(std::move(token));
  return true;
}

void Scanner::take_control_line(Token token) {
  auto end = token.range.end;
  const std::string& text = out_.text;
  auto continues = [&] { return end > token.range.begin && text[end - 1] == '\\' && end < text.size(); };
  while (continues()) end = static_cast<uint32_t>(std::min(text.find('\n', end + 1), text.size()));
  add_item(ItemKind::ControlLine, {token.range.begin, end});
  lexer_.rewind(end);
  follow_conditional(token.text);
}

void Scanner::follow_conditional(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.starts_with("if")) {
    conditionals_.push_back(state_);
  } else if (!conditionals_.empty() && line.starts_with("el")) {
    state_ = conditionals_.back();
  } else if (!conditionals_.empty() && line.starts_with("endif")) {
    conditionals_.pop_back();
  }
}

void Scanner::take(Token token) {
  if (state_.place == Place::Outer) {
    take_outer(token);
    return;
  }
  state_.expects_member = token.kind == TokenKind::Dot || token.kind == TokenKind::Arrow;
  if (state_.place == Place::Predicate && token.kind == TokenKind::LeftBrace) state_ = {.place = Place::Body};
  add_item(ItemKind::Token, token.range, token.kind);
  if (token.kind == TokenKind::PredicateEnd) state_ = {};
  else count(token.kind);
}

// Follows braces and parentheses, which end the place.
void Scanner::count(TokenKind kind) {
  switch (kind) {
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket: ++state_.parens; break;
    case TokenKind::RightParen:
    case TokenKind::RightBracket: state_.parens -= state_.parens > 0; break;
    case TokenKind::LeftBrace: ++state_.braces; break;
    case TokenKind::RightBrace:
      state_.parens = 0;
      state_.braces -= state_.braces > 0;
      if (state_.place == Place::Body && state_.braces == 0) state_ = {};
      break;
    case TokenKind::Semicolon:
      state_.parens = 0;
      if (state_.place == Place::Declaration && state_.braces == 0) state_ = {};
      break;
    default: break;
  }
}

void Scanner::take_outer(Token& token) {
  switch (token.kind) {
    case TokenKind::OuterWord: return take_outer_word(token);
    case TokenKind::LeftBrace: state_ = {.place = Place::Body}; break;
    case TokenKind::Slash: state_ = {.place = Place::Predicate}; break;
    default: break;
  }
  add_item(ItemKind::Token, token.range, token.kind);
  if (token.kind == TokenKind::LeftBrace) count(token.kind);
}

// Decides between a probe description and the first word of a declaration, as TokenReader::classify_outer_word() does,
// but without types: whether another word follows tells them apart.
void Scanner::take_outer_word(Token& token) {
  std::string_view word = token.text;
  TokenKind kind = outer_keyword_kind(word);
  size_t length = word.size();
  char following = lexer_.peek_characters().first;
  bool is_declared = kind != TokenKind::Identifier;
  if (!is_declared) {
    length = std::min(word.find('*', 1), word.size());
    size_t process_type = process_word_length(word);
    bool is_word = word.find_first_of(":-.?!`$[\\") == std::string_view::npos;
    bool ends_description = following == '{' || following == '/' || following == ',' || following == '\0';
    if (process_type > 0 &&
        (process_type == word.size() ? is_word_start(following) || following == '*' : word[process_type] == '*')) {
      length = process_type;
      is_declared = true;
    } else if (is_word && word != "BEGIN" && word != "END" && word != "ERROR") {
      kind = outer_keyword_kind(word.substr(0, length));
      is_declared = is_basic_type(kind) || is_word_start(following) || following == '*' ||
                    (length < word.size() && !ends_description);
    }
  }
  if (!is_declared) return add_item(ItemKind::Token, token.range, TokenKind::ProbeWord);
  if (kind == TokenKind::Identifier) kind = TokenKind::TypeWord;
  token.range.end = token.range.begin + static_cast<uint32_t>(length);
  state_ = {.place = Place::Declaration};
  add_item(ItemKind::Token, token.range, kind);
  lexer_.rewind(token.range.end);
}

}  // namespace

Scan scan(std::string text, OnBrokenText on_broken) {
  Scan result;
  result.text = std::move(text);
  Scanner(result, on_broken).run();
  return result;
}

}  // namespace dscope
