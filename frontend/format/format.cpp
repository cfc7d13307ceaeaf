// The formatter keeps the line ends of the author inside statements, and decides about those between them: a block
// that is on one line stays there if it fits, any other block gets a line for each statement.
#include "frontend/format/format.h"

#include <algorithm>
#include <optional>

#include "frontend/format/output_lines.h"
#include "frontend/format/spacing.h"
#include "frontend/scan/scan.h"
#include "support/text/words.h"

namespace dscope {

namespace {

constexpr uint32_t indent_width = 2, max_width = 120, tab_width = 8;

class Layout {
 public:
  explicit Layout(const Scan& scan) : scan_(scan), spacing_(find_spacing(scan)) {}
  std::string run();

 private:
  struct Block {
    bool is_inline = false;  // on one line
    bool is_enum = false;
    bool is_clause = false;  // the body of a clause
  };

  void place(size_t i);
  void place_comment(size_t i);
  void place_token(size_t i);
  bool breaks_before(size_t i) const;
  bool breaks_before_comment(size_t i) const;
  bool breaks_after_close(size_t i) const;
  uint32_t blank_lines_before(size_t i) const;
  uint32_t indent_of(size_t i) const;
  bool starts_statement(size_t i) const;
  bool is_block_inline(size_t open, size_t from) const;
  size_t inline_width(size_t begin, size_t end) const;
  std::optional<size_t> body_after(size_t i) const;
  void open_block(size_t i);
  void follow(size_t i);
  std::string shifted_comment(size_t i, size_t new_column) const;

  const ScannedItem& item(size_t i) const { return scan_.items[i]; }
  bool is_token(size_t i, TokenKind kind) const { return item(i).kind == ItemKind::Token && item(i).token == kind; }
  bool is_comment(size_t i) const {
    return item(i).kind == ItemKind::LineComment || item(i).kind == ItemKind::BlockComment;
  }
  bool is_inline() const { return !blocks_.empty() && blocks_.back().is_inline; }
  TokenKind last_kind() const { return last_token_ ? item(*last_token_).token : TokenKind::EndOfFile; }
  uint32_t depth() const {
    return static_cast<uint32_t>(std::ranges::count_if(blocks_, [](const Block& block) { return !block.is_inline; }));
  }

  const Scan& scan_;
  std::vector<ItemSpacing> spacing_;
  OutputLines out_;
  std::vector<Block> blocks_;
  std::optional<size_t> last_token_;
  bool ended_clause_ = false;  // the last token ends a clause of several lines
  uint32_t parens_ = 0;
};

// ---------------------------------------------------------------- blocks

// The width of the items on one line. A comment of several lines fits on none.
size_t Layout::inline_width(size_t begin, size_t end) const {
  size_t width = 0;
  for (size_t i = begin; i <= end; ++i) {
    std::string_view text = scan_.text_of(item(i));
    if (text.find('\n') != std::string_view::npos) return max_width + 1;
    width += text_width(text) + spacing_[i].has_space_before;
  }
  return width;
}

// Whether the block was on one line, and fits behind what the current line has. `from`: the next item to place.
bool Layout::is_block_inline(size_t open, size_t from) const {
  if (is_inline()) return true;
  size_t close = spacing_[open].match;
  if (close == 0) return false;
  for (size_t i = open + 1; i <= close; ++i)
    if (item(i).newlines_before > 0 || item(i).kind == ItemKind::ControlLine) return false;
  return out_.column() + inline_width(from, close) <= max_width;
}

// The `{` of the clause whose description or predicate contains item `i`.
std::optional<size_t> Layout::body_after(size_t i) const {
  for (; i < scan_.items.size(); ++i) {
    if (is_token(i, TokenKind::LeftBrace)) return i;
    if (is_token(i, TokenKind::Semicolon) || is_token(i, TokenKind::RightBrace)) break;
  }
  return std::nullopt;
}

void Layout::open_block(size_t i) {
  bool is_clause = item(i).place == Place::Body && blocks_.empty();
  blocks_.push_back(
      {.is_inline = is_block_inline(i, i + 1), .is_enum = spacing_[i].opens_enum, .is_clause = is_clause});
}

void Layout::follow(size_t i) {
  ended_clause_ = false;
  switch (item(i).token) {
    case TokenKind::LeftBrace: open_block(i); break;
    case TokenKind::RightBrace:
      if (blocks_.empty()) break;
      ended_clause_ = blocks_.back().is_clause && !blocks_.back().is_inline;
      blocks_.pop_back();
      break;
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket: ++parens_; break;
    case TokenKind::RightParen:
    case TokenKind::RightBracket: parens_ -= parens_ > 0; break;
    case TokenKind::Semicolon: parens_ = 0; break;
    default: break;
  }
  last_token_ = i;
}

// ---------------------------------------------------------------- line ends

bool Layout::starts_statement(size_t i) const {
  if (!last_token_) return true;
  if (item(i).kind == ItemKind::Token && item(i).place == Place::Outer) return true;
  switch (last_kind()) {
    case TokenKind::Semicolon:
    case TokenKind::LeftBrace:
    case TokenKind::RightBrace:
    case TokenKind::PredicateEnd: return true;
    case TokenKind::Comma:
      return parens_ == 0 && ((!blocks_.empty() && blocks_.back().is_enum) || item(*last_token_).place == Place::Outer);
    default: break;
  }
  if (spacing_[i].opens_predicate || is_token(i, TokenKind::LeftBrace)) return true;
  // A comment after a description belongs to the clause.
  return is_comment(i) && item(*last_token_).place == Place::Outer;
}

// After `}`, with item `i` the next token.
bool Layout::breaks_after_close(size_t i) const {
  TokenKind kind = item(i).token;
  if (kind == TokenKind::KeyElse || kind == TokenKind::Semicolon || kind == TokenKind::Comma) return false;
  return item(*last_token_).place != Place::Declaration || kind == TokenKind::RightBrace;
}

bool Layout::breaks_before_comment(size_t i) const {
  if (item(i).newlines_before > 0) return true;
  ItemKind before = item(i - 1).kind;
  return before == ItemKind::LineComment || before == ItemKind::ControlLine;
}

bool Layout::breaks_before(size_t i) const {
  if (i == 0) return false;
  const ScannedItem& before = item(i - 1);
  bool is_written = item(i).newlines_before > 0;
  if (item(i).kind == ItemKind::ControlLine || before.kind == ItemKind::ControlLine ||
      before.kind == ItemKind::LineComment)
    return true;
  if (is_comment(i)) return breaks_before_comment(i);
  if (before.kind == ItemKind::BlockComment && is_written) return true;
  if (!last_token_) return is_written;
  TokenKind kind = item(i).token;
  if (kind == TokenKind::Semicolon || kind == TokenKind::Comma) return false;
  if (is_inline()) return false;
  if (kind == TokenKind::RightBrace && !blocks_.empty()) return true;
  bool is_body = kind == TokenKind::LeftBrace && item(i).place == Place::Body && blocks_.empty();
  if (is_body) return is_block_inline(i, i) ? is_written : true;
  if (kind == TokenKind::LeftBrace) return false;
  if (spacing_[i].opens_predicate) {
    std::optional<size_t> body = body_after(i);
    return is_written || (body && !is_block_inline(*body, i));
  }
  switch (last_kind()) {
    case TokenKind::LeftBrace: return true;
    case TokenKind::Semicolon: return true;
    case TokenKind::RightBrace: return breaks_after_close(i);
    case TokenKind::KeyElse: return kind != TokenKind::KeyIf && is_written;
    default: return is_written;
  }
}

uint32_t Layout::blank_lines_before(size_t i) const {
  if (i == 0 || is_token(i, TokenKind::RightBrace)) return 0;
  bool is_separated = item(i).newlines_before > 1;
  if (item(i).kind == ItemKind::ControlLine) return is_separated ? 1 : 0;
  if (ended_clause_ && item(i - 1).kind == ItemKind::Token) return 1;
  if (ended_clause_ && item(i - 1).newlines_before == 0) return 1;  // behind a comment in the line of `}`
  if (is_token(i - 1, TokenKind::LeftBrace)) return 0;
  bool is_between = starts_statement(i) && parens_ == 0;
  bool is_clause_start = last_kind() == TokenKind::PredicateEnd || spacing_[i].opens_predicate ||
                         (is_token(i, TokenKind::LeftBrace) && item(i).place == Place::Body && blocks_.empty());
  bool is_list = last_kind() == TokenKind::Comma && item(*last_token_).place == Place::Outer;
  return is_separated && is_between && !is_clause_start && !is_list ? 1 : 0;
}

uint32_t Layout::indent_of(size_t i) const {
  if (item(i).kind == ItemKind::ControlLine) return 0;
  uint32_t levels = depth();
  bool closes = is_token(i, TokenKind::RightBrace) && !blocks_.empty() && !blocks_.back().is_inline;
  if (closes) --levels;
  else if (!starts_statement(i)) ++levels;
  return levels * indent_width;
}

// ---------------------------------------------------------------- items

// The width of the blanks before `offset` in its line.
size_t column_of(std::string_view text, size_t offset) {
  size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  size_t column = 0;
  for (size_t at = begin; at < offset; ++at)
    column = text[at] == '\t' ? (column / tab_width + 1) * tab_width : column + ((text[at] & 0xC0) != 0x80);
  return column;
}

// A comment of several lines whose lines move together.
std::string Layout::shifted_comment(size_t i, size_t new_column) const {
  std::string_view rest = scan_.text_of(item(i));
  size_t old_column = column_of(scan_.text, item(i).range.begin);
  std::string result;
  for (bool is_first = true; !rest.empty(); is_first = false) {
    size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    size_t text_begin = std::min(line.find_first_not_of(" \t\r\v\f"), line.size());
    size_t text_end = line.find_last_not_of(" \t\r\v\f") + 1;
    if (!is_first) result += '\n';
    if (text_begin == line.size()) continue;
    size_t column = column_of(line, text_begin);
    bool moves_left = new_column < old_column;
    size_t distance = moves_left ? old_column - new_column : new_column - old_column;
    size_t indent = moves_left ? column - std::min(column, distance) : column + distance;
    if (!is_first) result += std::string(indent, ' ');
    result += line.substr(text_begin, text_end - text_begin);
  }
  return result;
}

void Layout::place_comment(size_t i) {
  bool ends_line = i + 1 == scan_.items.size() || item(i + 1).newlines_before > 0 || breaks_before(i + 1);
  std::string_view text = scan_.text_of(item(i));
  bool is_one_line = text.find('\n') == std::string_view::npos;
  if (ends_line && is_one_line && !out_.is_line_empty()) {
    out_.set_comment(text.substr(0, text.find_last_not_of(" \t\r\v\f") + 1));
    return;
  }
  if (!out_.is_line_empty()) out_.append_space();
  out_.append(shifted_comment(i, out_.column()));
}

void Layout::place_token(size_t i) {
  bool is_close = is_token(i, TokenKind::Semicolon) || is_token(i, TokenKind::Comma);
  bool follows_comment = i > 0 && is_comment(i - 1) && !is_close;
  if (!out_.is_line_empty() && (spacing_[i].has_space_before || follows_comment)) out_.append_space();
  out_.append(scan_.text_of(item(i)));
  follow(i);
}

void Layout::place(size_t i) {
  if (i == 0 || breaks_before(i)) out_.begin_line(indent_of(i), blank_lines_before(i));
  if (is_comment(i)) {
    place_comment(i);
  } else if (item(i).kind == ItemKind::ControlLine) {
    std::string_view text = scan_.text_of(item(i));
    out_.append(text.substr(0, text.find_last_not_of(" \t\r\v\f") + 1));
    ended_clause_ = false;
  } else {
    place_token(i);
  }
}

std::string Layout::run() {
  for (size_t i = 0; i < scan_.items.size(); ++i) place(i);
  return out_.to_string();
}

// ---------------------------------------------------------------- check

// Comments are equal if they differ in blanks at the starts and ends of their lines only.
std::string without_blanks(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result), [](char c) { return !is_blank(c); });
  return result;
}

bool has_same_items(const Scan& a, const Scan& b) {
  return std::ranges::equal(a.items, b.items, [&](const ScannedItem& left, const ScannedItem& right) {
    if (left.kind != right.kind || left.token != right.token || left.place != right.place) return false;
    if (left.kind == ItemKind::Token) return a.text_of(left) == b.text_of(right);
    return without_blanks(a.text_of(left)) == without_blanks(b.text_of(right));
  });
}

std::string with_line_ends(std::string_view text) {
  std::string result(text);
  replace_all(result, "\r\n", "\n");
  if (!result.empty() && result.back() != '\n') result += '\n';
  return result;
}

}  // namespace

Result<std::string> format_source(std::string_view text) {
  Scan written = scan(with_line_ends(text), OnBrokenText::Stop);
  if (written.error) {
    std::string_view before = std::string_view(written.text).substr(0, written.error->begin);
    auto line = std::ranges::count(before, '\n') + 1;
    return fail(Error::make("line {}, column {}: {}", line, before.size() - (before.rfind('\n') + 1) + 1,
                            written.error_message));
  }
  std::string formatted = Layout(written).run();
  if (!has_same_items(written, scan(formatted, OnBrokenText::Stop)))
    return fail(
        Error("the formatted text would be another program").hint("this is a mistake of dscope; please report it"));
  return formatted;
}

}  // namespace dscope
