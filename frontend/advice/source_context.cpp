#include "frontend/advice/source_context.h"

#include <algorithm>
#include <utility>

#include "support/text/words.h"

namespace dscope {

SourceContext::SourceContext(const SourceSet& sources, const Diagnostic& error) {
  if (sources.size() == 0) return;
  const SourceUnit& unit = sources.unit(sources.locate(error.at.range.begin).unit);
  is_script_ = unit.kind == UnitKind::Script;
  text_ = unit.text;
  at_ = std::min<size_t>(error.at.range.begin - unit.base, text_.size());
  end_ = std::clamp<size_t>(error.at.range.end - unit.base, at_, text_.size());
  scan();
}

std::string_view SourceContext::word_at(size_t at) const {
  size_t end = at;
  while (end < text_.size() && is_word_char(text_[end])) ++end;
  return text_.substr(at, end - at);
}

size_t SourceContext::line_of(size_t at) const {
  return 1 + static_cast<size_t>(std::ranges::count(text_.substr(0, at), '\n'));
}

std::string_view SourceContext::word_before(size_t end) const {
  size_t begin = end;
  while (begin > 0 && is_word_char(text_[begin - 1])) --begin;
  return text_.substr(begin, end - begin);
}

std::string_view SourceContext::previous_word() const { return word_before(previous_); }

std::string_view SourceContext::previous_type_word() const {
  size_t last = text_.substr(0, previous_).find_last_not_of(" \t\n*)");
  return last == std::string_view::npos ? std::string_view{} : word_before(last + 1);
}

std::string_view SourceContext::last_marked_word() const { return word_before(end_); }

bool SourceContext::is_on_same_line() const {
  return text_.substr(previous_, at_ - previous_).find('\n') == std::string_view::npos;
}

// Returns the offset after the string or character constant at `at`.
size_t SourceContext::skip_quoted(size_t at) const {
  char quote = text_[at];
  for (++at; at < text_.size() && text_[at] != quote && text_[at] != '\n'; ++at)
    if (text_[at] == '\\') ++at;
  return std::min(at + 1, text_.size());
}

// Scans from the start of the text to the error.
void SourceContext::scan() {
  bool begins_statement = true;
  for (size_t i = 0; i < at_;) {
    char c = text_[i];
    if (text_.substr(i, 2) == "/*") {
      i = std::min(text_.find("*/", i + 2), text_.size() - 2) + 2;
      continue;
    }
    if (is_blank(c)) {
      ++i;
      continue;
    }
    if (std::exchange(begins_statement, false)) statement_ = i;
    switch (c) {
      case '(': ++parens_; break;
      case ')': parens_ -= parens_ > 0; break;
      case '{':
      case '}':
      case ';':
        if (c == '{') open_braces_.push_back(i);
        if (c == '}' && !open_braces_.empty()) open_braces_.pop_back();
        if (c != ';') parens_ = 0;
        begins_statement = true;
        break;
      default: break;
    }
    i = c == '"' || c == '\'' ? skip_quoted(i) : i + 1;
    if (i <= at_) previous_ = i;
  }
  if (begins_statement) statement_ = at_;
}

}  // namespace dscope
