#include "driver/language/cursor.h"

#include <algorithm>
#include <vector>

#include "support/text/words.h"

namespace dscope {

namespace {

std::string_view trimmed_front(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

class CursorFinder {
 public:
  CursorFinder(std::string_view text, uint32_t offset)
      : scan_(scan(std::string(text.substr(0, offset)), OnBrokenText::Skip)), offset_(offset) {}

  Cursor find();

 private:
  void find_in_control_line(std::string_view line);
  void find_in_description();
  void find_in_code(Place place);
  void find_call();
  // The number of the token before the prefix, counted from the end; null if there is none.
  const ScannedItem* token_before(size_t back = 0) const;
  bool is_before(TokenKind kind, size_t back = 0) const {
    const ScannedItem* token = token_before(back);
    return token != nullptr && token->token == kind;
  }
  void set(CursorKind kind) { cursor_.kind = kind; }

  Scan scan_;
  uint32_t offset_;
  Cursor cursor_;
};

const ScannedItem* CursorFinder::token_before(size_t back) const {
  for (auto item = scan_.items.rbegin(); item != scan_.items.rend(); ++item) {
    if (item->kind != ItemKind::Token || item->range.begin >= cursor_.begin) continue;
    if (back-- == 0) return &*item;
  }
  return nullptr;
}

// `line`: from `#` to the cursor.
void CursorFinder::find_in_control_line(std::string_view line) {
  line.remove_prefix(1);
  std::vector<std::string_view> words;
  std::string_view rest = trimmed_front(line);
  while (!rest.empty()) {
    words.push_back(rest.substr(0, rest.find_first_of(" \t")));
    rest = trimmed_front(rest.substr(words.back().size()));
  }
  bool is_new_word = line.empty() || line.back() == ' ' || line.back() == '\t';
  if (is_new_word) words.emplace_back();
  if (words.size() < 3 || words[0] != "pragma" || words[1] != "D") return;
  std::string_view typed = words.back();
  cursor_.prefix = typed;
  if (words.size() == 3) {
    set(CursorKind::PragmaWord);
  } else if (words[2] == "option" && words.size() == 4) {
    size_t equals = typed.find('=');
    set(equals == std::string_view::npos ? CursorKind::OptionName : CursorKind::OptionValue);
    if (equals != std::string_view::npos) {
      cursor_.option = typed.substr(0, equals);
      cursor_.prefix = typed.substr(equals + 1);
    }
  }
  cursor_.begin = offset_ - static_cast<uint32_t>(cursor_.prefix.size());
}

void CursorFinder::find_in_description() {
  const ScannedItem* last = scan_.items.empty() ? nullptr : &scan_.items.back();
  std::string typed;
  if (last != nullptr && last->kind == ItemKind::Token && last->range.end == offset_ &&
      (last->token == TokenKind::ProbeWord || last->place == Place::Declaration))
    typed = scan_.text_of(*last);
  cursor_.begin = offset_ - static_cast<uint32_t>(typed.size());
  // After a description comes `,`, `/` or `{`.
  if (typed.empty() && (is_before(TokenKind::ProbeWord) || is_before(TokenKind::PredicateEnd))) return;
  set(CursorKind::Description);
  size_t field = 0, begin = 0;
  for (size_t colon = typed.find(':'); colon != std::string::npos && field < 3; colon = typed.find(':', begin)) {
    cursor_.fields[field++] = typed.substr(begin, colon - begin);
    begin = colon + 1;
  }
  cursor_.field = static_cast<ProbeField>(field);
  cursor_.prefix = typed.substr(begin);
  cursor_.begin = offset_ - static_cast<uint32_t>(cursor_.prefix.size());
}

void CursorFinder::find_in_code(Place place) {
  std::string_view text = scan_.text;
  size_t begin = text.size();
  while (begin > 0 && is_word_char(text[begin - 1])) --begin;
  cursor_.prefix = text.substr(begin);
  cursor_.begin = static_cast<uint32_t>(begin);
  find_call();
  if (!cursor_.prefix.empty() && cursor_.prefix[0] >= '0' && cursor_.prefix[0] <= '9') return;
  char before = begin > 0 ? text[begin - 1] : '\0';
  if (before == '@') return set(CursorKind::Aggregation);
  if (before == '$') return set(CursorKind::Macro);
  if (before == '`') return;
  if (is_before(TokenKind::Dot) || is_before(TokenKind::Arrow)) return set(CursorKind::Member);
  for (TokenKind tag : {TokenKind::KeyStruct, TokenKind::KeyUnion, TokenKind::KeyEnum})
    if (is_before(tag)) {
      cursor_.tag_keyword = scan_.text_of(*token_before());
      return set(CursorKind::Type);
    }
  bool is_xlate = is_before(TokenKind::Less) && is_before(TokenKind::KeyXlate, 1);
  bool begins_type = is_before(TokenKind::KeyInline) || is_before(TokenKind::KeyTypedef) ||
                     is_before(TokenKind::KeySelf) || is_before(TokenKind::KeyThis) ||
                     is_before(TokenKind::KeyTranslator);
  set(is_xlate || (place == Place::Declaration && begins_type) ? CursorKind::Type : CursorKind::Name);
}

// The innermost open parenthesis with a name before it.
void CursorFinder::find_call() {
  struct Open {
    TokenKind kind;
    std::string function;
    uint32_t commas = 0;
  };
  std::vector<Open> open;
  const ScannedItem* before = nullptr;
  for (const ScannedItem& item : scan_.items) {
    if (item.kind != ItemKind::Token) continue;
    switch (item.token) {
      case TokenKind::LeftParen:
      case TokenKind::LeftBracket: {
        bool is_call =
            item.token == TokenKind::LeftParen && before != nullptr && before->token == TokenKind::Identifier;
        open.push_back({item.token, is_call ? std::string(scan_.text_of(*before)) : ""});
        break;
      }
      case TokenKind::RightParen:
      case TokenKind::RightBracket:
        if (!open.empty()) open.pop_back();
        break;
      case TokenKind::Comma:
        if (!open.empty()) ++open.back().commas;
        break;
      case TokenKind::Semicolon:
      case TokenKind::LeftBrace:
      case TokenKind::RightBrace: open.clear(); break;
      default: break;
    }
    before = &item;
  }
  for (auto bracket = open.rbegin(); bracket != open.rend(); ++bracket)
    if (!bracket->function.empty()) {
      cursor_.call = {.function = bracket->function, .argument = bracket->commas};
      return;
    }
}

Cursor CursorFinder::find() {
  cursor_.begin = offset_;
  if (scan_.items.empty()) {
    find_in_description();
    return cursor_;
  }
  const ScannedItem& last = scan_.items.back();
  std::string_view text = scan_.text_of(last), after = std::string_view(scan_.text).substr(last.range.end);
  bool is_on_line = after.find('\n') == std::string_view::npos;
  bool is_line_comment = last.kind == ItemKind::LineComment && is_on_line;
  if (last.kind == ItemKind::Broken && is_on_line) {
    if (text[0] == '#') find_in_control_line(text);
    else if (text[0] == '"' || text[0] == '\'') find_call();
    return cursor_;
  }
  if (is_line_comment || (last.kind == ItemKind::Broken && text.starts_with("/*"))) return cursor_;
  Place place = last.place;
  bool ended = last.kind == ItemKind::Token && after.empty() == false;
  // The token may have ended the place: what follows belongs to the next one.
  if (last.kind == ItemKind::Token && last.token == TokenKind::PredicateEnd) return cursor_;
  bool closes_clause = last.kind == ItemKind::Token && last.token == TokenKind::RightBrace && place == Place::Body;
  bool closes_declaration =
      last.kind == ItemKind::Token && last.token == TokenKind::Semicolon && place == Place::Declaration;
  if (closes_clause || closes_declaration) {
    int depth = 0;
    for (const ScannedItem& item : scan_.items) {
      if (item.kind != ItemKind::Token) continue;
      if (item.place == Place::Outer) depth = 0;
      depth += item.token == TokenKind::LeftBrace;
      depth -= item.token == TokenKind::RightBrace;
    }
    if (depth <= 0) place = Place::Outer;
  }
  bool is_first_word = place == Place::Declaration && !ended && last.range.end == offset_ &&
                       (scan_.items.size() == 1 || scan_.items[scan_.items.size() - 2].place != Place::Declaration ||
                        scan_.items[scan_.items.size() - 2].token == TokenKind::Semicolon);
  if (place == Place::Outer || is_first_word) find_in_description();
  else find_in_code(place);
  return cursor_;
}

}  // namespace

Cursor find_cursor(std::string_view text, uint32_t offset) {
  return CursorFinder(text, std::min(offset, static_cast<uint32_t>(text.size()))).find();
}

std::string close_text(std::string_view text, uint32_t offset, std::string_view member) {
  std::string result(text.substr(0, offset));
  Scan scanned = scan(result, OnBrokenText::Skip);
  std::string closers;
  bool starts_with_aggregation = false, is_statement_start = true;
  for (const ScannedItem& item : scanned.items) {
    if (item.kind != ItemKind::Token) continue;
    if (item.place == Place::Outer && item.token != TokenKind::LeftBrace) closers.clear();
    if (is_statement_start) starts_with_aggregation = item.token == TokenKind::Aggregation;
    is_statement_start = false;
    switch (item.token) {
      case TokenKind::LeftParen: closers += ')'; break;
      case TokenKind::LeftBracket: closers += ']'; break;
      case TokenKind::LeftBrace:
        closers += '}';
        is_statement_start = true;
        break;
      case TokenKind::RightParen:
      case TokenKind::RightBracket:
      case TokenKind::RightBrace:
        if (!closers.empty()) closers.pop_back();
        is_statement_start = item.token == TokenKind::RightBrace;
        break;
      case TokenKind::Semicolon: is_statement_start = true; break;
      default: break;
    }
  }
  result += member;
  bool is_predicate = !scanned.items.empty() && scanned.items.back().place == Place::Predicate;
  bool ended_expression = false;
  for (auto closer = closers.rbegin(); closer != closers.rend(); ++closer) {
    if (*closer == '}' && !ended_expression) {
      if (starts_with_aggregation && closer != closers.rbegin()) result += " = count()";
      result += ';';
      ended_expression = true;
    }
    result += *closer;
  }
  return result + (is_predicate ? "/ { }\n" : "\n");
}

WordAt word_at(std::string_view text, uint32_t offset) {
  size_t begin = std::min<size_t>(offset, text.size()), end = begin;
  while (begin > 0 && is_word_char(text[begin - 1])) --begin;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return {std::string(text.substr(begin, end - begin)), {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}};
}

}  // namespace dscope
