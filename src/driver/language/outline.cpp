#include "driver/language/outline.h"

#include <algorithm>
#include <set>

#include "support/text/words.h"

namespace dscope {

namespace {

class OutlineReader {
 public:
  explicit OutlineReader(const Scan& scan) : scan_(scan) {
    for (const ScannedItem& item : scan.items)
      if (item.kind == ItemKind::Token) tokens_.push_back(&item);
  }

  std::vector<Definition> run() {
    while (at_ < tokens_.size()) {
      if (tokens_[at_]->place == Place::Declaration) read_declaration();
      else read_clause();
    }
    return std::move(found_);
  }

 private:
  void read_clause();
  void read_body_token(size_t i);
  void read_declaration();
  size_t end_of_declaration() const;
  void read_members(size_t begin, size_t end, DefinitionKind kind, const std::string& container);
  void read_tagged(size_t begin, size_t end);
  void read_translator(size_t begin, size_t end);
  void read_provider(size_t begin, size_t end);
  void add_declared(DefinitionKind kind, size_t begin, size_t end);
  void add(DefinitionKind kind, size_t name, SourceRange range, std::string container = {}, bool is_declared = true);
  void add_assigned(DefinitionKind kind, size_t name, size_t begin);
  size_t matching_brace(size_t open, size_t end) const;

  bool is(size_t i, TokenKind kind) const { return i < tokens_.size() && tokens_[i]->token == kind; }
  bool is_name(size_t i) const { return is(i, TokenKind::Identifier) || is(i, TokenKind::TypeWord); }
  std::string_view text(size_t i) const { return scan_.text_of(*tokens_[i]); }
  SourceRange range_of(size_t begin, size_t end) const {
    return {tokens_[begin]->range.begin, tokens_[std::max(begin + 1, end) - 1]->range.end};
  }

  const Scan& scan_;
  std::vector<const ScannedItem*> tokens_;
  std::vector<Definition> found_;
  std::set<std::pair<DefinitionKind, std::string>> assigned_;
  size_t at_ = 0;
};

void OutlineReader::add(DefinitionKind kind, size_t name, SourceRange range, std::string container, bool is_declared) {
  if (name >= tokens_.size()) return;
  found_.push_back({.kind = kind,
                    .name = std::string(text(name)),
                    .container = std::move(container),
                    .range = range,
                    .name_range = tokens_[name]->range,
                    .is_declared = is_declared});
}

void OutlineReader::add_assigned(DefinitionKind kind, size_t name, size_t begin) {
  std::string word(text(name));
  if (kind == DefinitionKind::Aggregation) word.erase(0, 1);
  if (!assigned_.emplace(kind, word).second) return;
  add(kind, name, range_of(begin, name + 1), {}, false);
  found_.back().name = std::move(word);
}

// Variables and aggregations where a statement first assigns them.
void OutlineReader::read_body_token(size_t i) {
  if (is(i, TokenKind::Aggregation)) return add_assigned(DefinitionKind::Aggregation, i, i);
  if (!is(i, TokenKind::Identifier) || i + 1 >= tokens_.size()) return;
  bool is_member = i >= 2 && (is(i - 1, TokenKind::Arrow) || is(i - 1, TokenKind::Dot));
  if (is_member && is(i - 2, TokenKind::KeySelf)) return add_assigned(DefinitionKind::SelfVariable, i, i - 2);
  if (is_member && is(i - 2, TokenKind::KeyThis)) return add_assigned(DefinitionKind::ThisVariable, i, i - 2);
  if (is_member) return;
  size_t after = i + 1;
  if (is(after, TokenKind::LeftBracket)) {
    int depth = 0;
    for (; after < tokens_.size(); ++after) {
      depth += is(after, TokenKind::LeftBracket);
      depth -= is(after, TokenKind::RightBracket);
      if (depth == 0) break;
    }
    ++after;
  }
  if (is(after, TokenKind::Assign)) add_assigned(DefinitionKind::Variable, i, i);
}

// From the description to the end of the body.
void OutlineReader::read_clause() {
  size_t begin = at_, description_end = at_;
  while (is(description_end, TokenKind::ProbeWord) || is(description_end, TokenKind::Comma) ||
         is(description_end, TokenKind::Integer))
    ++description_end;
  size_t index = found_.size();
  bool has_name = description_end > begin;
  if (has_name) {
    add(DefinitionKind::Clause, begin, range_of(begin, description_end));
    found_.back().name = one_line(scan_, range_of(begin, description_end));
  }
  at_ = std::max(description_end, begin + 1);
  while (at_ < tokens_.size() && tokens_[at_]->place != Place::Outer && tokens_[at_]->place != Place::Declaration) {
    bool opens_next = at_ > begin && tokens_[at_]->place == Place::Body && is(at_ - 1, TokenKind::RightBrace) &&
                      is(at_, TokenKind::LeftBrace) && tokens_[at_ - 1]->place != Place::Body;
    if (opens_next) break;
    if (tokens_[at_]->place == Place::Body) read_body_token(at_);
    ++at_;
  }
  if (has_name) found_[index].range.end = tokens_[at_ - 1]->range.end;
}

size_t OutlineReader::end_of_declaration() const {
  int depth = 0;
  size_t i = at_;
  for (; i < tokens_.size() && tokens_[i]->place == Place::Declaration; ++i) {
    depth += is(i, TokenKind::LeftBrace);
    depth -= is(i, TokenKind::RightBrace);
    if (depth <= 0 && is(i, TokenKind::Semicolon)) return i + 1;
  }
  return i;
}

size_t OutlineReader::matching_brace(size_t open, size_t end) const {
  int depth = 0;
  for (size_t i = open; i < end; ++i) {
    depth += is(i, TokenKind::LeftBrace);
    depth -= is(i, TokenKind::RightBrace);
    if (depth == 0) return i;
  }
  return end;
}

// The name is the last one before `;`, `[`, `(` or `=` outside braces.
void OutlineReader::add_declared(DefinitionKind kind, size_t begin, size_t end) {
  size_t name = tokens_.size();
  for (size_t i = begin; i < end; ++i) {
    if (is(i, TokenKind::LeftBrace)) i = matching_brace(i, end);
    bool ends_name = is(i, TokenKind::Semicolon) || is(i, TokenKind::LeftBracket) || is(i, TokenKind::Assign);
    if (ends_name) break;
    if (is_name(i) && i > begin) name = i;
  }
  if (name < tokens_.size()) add(kind, name, range_of(begin, end));
}

// The names before `;` or `,` (members), or before `=` or `,` (enumerators).
void OutlineReader::read_members(size_t begin, size_t end, DefinitionKind kind, const std::string& container) {
  size_t start = begin;
  for (size_t i = begin; i < end; ++i) {
    if (is(i, TokenKind::LeftBrace)) i = matching_brace(i, end);
    bool ends = is(i, TokenKind::Semicolon) || is(i, TokenKind::Comma) || i + 1 == end;
    if (!ends) continue;
    size_t name = tokens_.size();
    for (size_t at = start; at <= i; ++at) {
      if (is(at, TokenKind::LeftBrace)) at = matching_brace(at, i);
      if (is(at, TokenKind::LeftBracket) || is(at, TokenKind::Colon) || is(at, TokenKind::Assign)) break;
      if (is(at, TokenKind::Identifier)) name = at;
    }
    if (name < tokens_.size()) add(kind, name, range_of(start, i + 1), container);
    start = i + 1;
  }
}

// struct NAME { ... }; also as the type of a variable or a typedef
void OutlineReader::read_tagged(size_t begin, size_t end) {
  for (size_t i = begin; i + 2 < end; ++i) {
    bool is_enum = is(i, TokenKind::KeyEnum);
    if (!is_enum && !is(i, TokenKind::KeyStruct) && !is(i, TokenKind::KeyUnion)) continue;
    size_t open = is_name(i + 1) ? i + 2 : i + 1;
    if (!is(open, TokenKind::LeftBrace)) continue;
    size_t close = matching_brace(open, end);
    std::string name = open == i + 2 ? std::string(text(i + 1)) : "";
    if (!name.empty()) add(is_enum ? DefinitionKind::Enum : DefinitionKind::Struct, i + 1, range_of(begin, end));
    read_members(open + 1, close, is_enum ? DefinitionKind::Enumerator : DefinitionKind::Member, name);
  }
}

void OutlineReader::read_translator(size_t begin, size_t end) {
  size_t name = tokens_.size(), open = begin;
  for (; open < end && !is(open, TokenKind::LeftBrace); ++open) {
    if (is(open, TokenKind::Less)) {
      while (open < end && !is(open, TokenKind::Greater)) ++open;
    } else if (is_name(open)) {
      name = open;
    }
  }
  if (name >= tokens_.size()) return;
  std::string type(text(name));
  add(DefinitionKind::Translator, name, range_of(begin, end));
  bool begins = true;
  for (size_t i = open + 1; i < end; ++i) {
    if (begins && is(i, TokenKind::Identifier) && is(i + 1, TokenKind::Assign)) {
      size_t stop = i;
      while (stop < end && !is(stop, TokenKind::Semicolon)) ++stop;
      add(DefinitionKind::TranslatorMember, i, range_of(i, std::min(stop + 1, end)), type);
    }
    begins = is(i, TokenKind::Semicolon);
  }
}

void OutlineReader::read_provider(size_t begin, size_t end) {
  if (begin + 1 >= end) return;
  add(DefinitionKind::Provider, begin + 1, range_of(begin, end));
  std::string provider(text(begin + 1));
  for (size_t i = begin + 2; i + 1 < end; ++i)
    if (is(i, TokenKind::KeyProbe)) add(DefinitionKind::ProviderProbe, i + 1, range_of(i, i + 2), provider);
}

void OutlineReader::read_declaration() {
  size_t begin = at_, end = end_of_declaration();
  switch (tokens_[begin]->token) {
    case TokenKind::KeyInline: add_declared(DefinitionKind::Inline, begin, end); break;
    case TokenKind::KeyTypedef:
      read_tagged(begin, end);
      add_declared(DefinitionKind::Typedef, begin, end);
      break;
    case TokenKind::KeyTranslator: read_translator(begin, end); break;
    case TokenKind::KeyProvider: read_provider(begin, end); break;
    case TokenKind::KeySelf: add_declared(DefinitionKind::SelfVariable, begin, end); break;
    case TokenKind::KeyThis: add_declared(DefinitionKind::ThisVariable, begin, end); break;
    case TokenKind::KeyStruct:
    case TokenKind::KeyUnion:
    case TokenKind::KeyEnum: {
      read_tagged(begin, end);
      // After the tag, another name is a variable.
      size_t first = is_name(begin + 1) ? begin + 1 : begin;
      if (first + 1 < end) add_declared(DefinitionKind::Variable, first, end);
      break;
    }
    default: add_declared(DefinitionKind::Variable, begin, end); break;
  }
  at_ = std::max(end, at_ + 1);
}

}  // namespace

std::vector<Definition> find_definitions(const Scan& scan) { return OutlineReader(scan).run(); }

std::string one_line(const Scan& scan, SourceRange range, size_t max_length) {
  std::string result;
  const ScannedItem* before = nullptr;
  for (const ScannedItem& item : scan.items) {
    if (item.kind != ItemKind::Token || item.range.begin < range.begin) continue;
    if (item.range.end > range.end || result.size() > max_length) break;
    if (before != nullptr && item.range.begin > before->range.end) result += ' ';
    result += scan.text_of(item);
    before = &item;
  }
  if (result.size() <= max_length) return result;
  size_t end = max_length;
  while (end > 0 && (result[end] & 0xC0) == 0x80) --end;
  return result.substr(0, end) + "...";
}

std::string comment_before(const Scan& scan, SourceRange range) {
  auto next =
      std::ranges::find_if(scan.items, [&](const ScannedItem& item) { return item.range.begin >= range.begin; });
  std::string result;
  while (next != scan.items.begin() && next->newlines_before <= 1) {
    --next;
    bool is_comment = next->kind == ItemKind::LineComment || next->kind == ItemKind::BlockComment;
    bool is_own_line = next == scan.items.begin() || next->newlines_before > 0;
    if (!is_comment || !is_own_line || scan.text_of(*next).starts_with("#!")) break;
    std::string_view text = scan.text_of(*next);
    std::string words;
    while (!text.empty()) {
      std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (line.ends_with("*/")) line.remove_suffix(2);
      size_t begin = std::min(line.find_first_not_of("/* \t"), line.size());
      size_t end = line.find_last_not_of(" \t*") + 1;
      if (begin < end) words += std::string(words.empty() ? "" : " ") + std::string(line.substr(begin, end - begin));
    }
    result = result.empty() ? words : words + " " + result;
    if (next->kind == ItemKind::BlockComment) break;
  }
  return result;
}

}  // namespace dscope
