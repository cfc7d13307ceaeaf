// Quick fixes: the compiler's hints as changes of the text. A hint is a sentence with D text in backquotes. Each way to
// put that text into the program is tried, and the first one that mends the problem is offered.
#include <algorithm>

#include "driver/language/language_service.h"
#include "support/text/words.h"

namespace dscope {

namespace {

struct Candidate {
  std::string title;
  std::vector<Edit> edits;
};

// The texts between backquotes. A D symbol has a backquote itself: ``vmlinux`jiffies`` ends at the last of its word.
std::vector<std::string> quoted_texts(std::string_view hint) {
  std::vector<std::string> texts;
  for (size_t begin = hint.find('`'); begin != std::string_view::npos; begin = hint.find('`', begin)) {
    size_t end = hint.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    if (end > begin + 1) texts.emplace_back(hint.substr(begin + 1, end - begin - 1));
    begin = end + 1;
  }
  return texts;
}

std::string_view without_margins(std::string_view text) {
  size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// Hints that advise another way to write the program, instead of a text for this place.
bool is_replacement(std::string_view hint) {
  for (std::string_view begin : {"add ",
                                 "move ",
                                 "begin ",
                                 "put the ",
                                 "write both",
                                 "D has no",
                                 "D cannot",
                                 "the word before",
                                 "end the",
                                 "remove",
                                 "assign it in an earlier clause: `@",
                                 "use it as",
                                 "print ",
                                 "name one",
                                 "the prototype",
                                 "list ",
                                 "the names of",
                                 "`arg",
                                 "for C ",
                                 "pass ",
                                 "join "})
    if (hint.starts_with(begin)) return false;
  return true;
}

// Texts with a part that the user must choose.
bool is_placeholder(std::string_view text) {
  for (std::string_view part : {"...", "FILE", "PROBE", "NAME", "PID", "[key]", "address", "(value", "(x)", "[R_", "{"})
    if (text.find(part) != std::string_view::npos) return true;
  return false;
}

class FixFinder {
 public:
  FixFinder(const std::string& text, const Problem& problem) : text_(text), problem_(problem) {}

  // The ways to apply one hint.
  std::vector<Candidate> candidates(const std::string& hint) {
    candidates_.clear();
    std::vector<std::string> quoted = quoted_texts(hint);
    if (hint.starts_with("add a ") && hint.find(" before this") != std::string::npos && !quoted.empty())
      insert_before(quoted[0]);
    else if (hint.starts_with("remove this") && !quoted.empty()) remove(quoted[0]);
    else if (hint.find("double quotes") != std::string::npos) requote();
    else if (hint.find("use `->`") != std::string::npos) replace_operator(".", "->");
    else if (hint.find("use `.`") != std::string::npos) replace_operator("->", ".");
    else if (hint.starts_with("`=` assigns")) replace_operator(" = ", " == ");
    else if (quoted.size() >= 2 && hint.find("` is `") != std::string::npos) replace_first(quoted[0], quoted[1]);
    else if (is_replacement(hint)) replace_by(hint, quoted);
    if (hint.find("-x ") != std::string::npos) add_option(hint);
    return std::move(candidates_);
  }

 private:
  void add(std::string title, SourceRange range, std::string text) {
    candidates_.push_back({std::move(title), {{range, std::move(text)}}});
  }
  void replace(SourceRange range, const std::string& by) {
    std::string old = text_.substr(range.begin, range.end - range.begin);
    if (old.empty() || old == by || old.size() > 80) return;
    add(fmt::format("replace `{}` by `{}`", without_margins(old), without_margins(by)), range, by);
  }

  void replace_by(const std::string& hint, const std::vector<std::string>& quoted) {
    for (const std::string& each : quoted) {
      if (is_placeholder(each)) continue;
      if (!each.ends_with(';')) replace_words(each);
      else if (hint.find("declare") != std::string::npos) insert_declaration(each);
      else replace_statement(each);
    }
  }

  void insert_before(const std::string& text) {
    add(fmt::format("add `{}`", text), {problem_.range.begin, problem_.range.begin}, text);
  }

  void remove(const std::string& text) {
    if (text_.compare(problem_.range.begin, text.size(), text) != 0) return;
    add(fmt::format("remove `{}`", text),
        {problem_.range.begin, problem_.range.begin + static_cast<uint32_t>(text.size())}, "");
  }

  // One field of a probe description.
  void replace_field(const std::string& by) {
    SourceRange marked = problem_.range;
    for (uint32_t end = marked.end; end > marked.begin;) {
      uint32_t begin = end;
      while (begin > marked.begin && text_[begin - 1] != ':') --begin;
      if (begin < end) replace({begin, end}, by);
      end = begin > marked.begin ? begin - 1 : begin;
    }
  }

  // The marked text, then its last and its first word, then the word before it.
  void replace_words(const std::string& by) {
    SourceRange marked = problem_.range;
    if (problem_.tag == "D_PDESC_ZERO" && by.find(':') == std::string::npos) return replace_field(by);
    if (marked.end > marked.begin && by.find_first_of(":@(\"") != std::string::npos) replace(marked, by);
    size_t last = marked.end;
    while (last > marked.begin && is_word_char(text_[last - 1])) --last;
    if (last < marked.end) replace({static_cast<uint32_t>(last), marked.end}, by);
    WordAt first = word_at(text_, marked.begin);
    replace(first.range, by);
    if (marked.end > marked.begin) replace(marked, by);
    size_t before = marked.begin;
    while (before > 0 && !is_word_char(text_[before - 1])) --before;
    if (before > 0) replace(word_at(text_, static_cast<uint32_t>(before - 1)).range, by);
  }

  void replace_first(const std::string& old, const std::string& by) {
    if (size_t at = text_.find(old); at != std::string::npos)
      replace({static_cast<uint32_t>(at), static_cast<uint32_t>(at + old.size())}, by);
  }

  void replace_operator(std::string_view old, std::string_view by) {
    std::string_view marked = std::string_view(text_).substr(0, problem_.range.end);
    size_t at = marked.rfind(old);
    if (at == std::string_view::npos || at < problem_.range.begin) return;
    replace({static_cast<uint32_t>(at), static_cast<uint32_t>(at + old.size())}, std::string(by));
  }

  // 'text' -> "text"
  void requote() {
    size_t begin = text_.find('\'', problem_.range.begin);
    size_t end = begin == std::string::npos ? begin : text_.find('\'', begin + 1);
    if (end == std::string::npos || end > problem_.range.end) return;
    std::string quoted = text_.substr(begin + 1, end - begin - 1);
    replace({static_cast<uint32_t>(begin), static_cast<uint32_t>(end + 1)}, "\"" + quoted + "\"");
  }

  void replace_statement(const std::string& by) {
    size_t begin = problem_.range.begin;
    while (begin > 0 && text_[begin - 1] != ';' && text_[begin - 1] != '{' && text_[begin - 1] != '}') --begin;
    while (begin < text_.size() && is_blank(text_[begin])) ++begin;
    size_t end = text_.find_first_of(";}", begin);
    if (end == std::string::npos || end < begin) return;
    if (text_[end] == ';') ++end;
    while (end > begin && is_blank(text_[end - 1])) --end;
    replace({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}, by);
  }

  // Behind the first line and the options, where declarations belong.
  size_t place_for_lines() const {
    size_t at = 0;
    while (at < text_.size()) {
      size_t end = std::min(text_.find('\n', at), text_.size());
      std::string_view line = std::string_view(text_).substr(at, end - at);
      bool is_head = line.starts_with("#");
      bool is_comment = line.starts_with("/*") && line.find("*/") != std::string_view::npos;
      if (!is_head && !is_comment && !(line.starts_with(" *") || line.starts_with("/*"))) break;
      at = std::min(end + 1, text_.size());
    }
    return at;
  }

  void insert_line(std::string title, const std::string& line) {
    auto at = static_cast<uint32_t>(place_for_lines());
    std::string before = at > 0 && text_[at - 1] != '\n' ? "\n" : "";
    add(std::move(title), {at, at}, before + line + "\n");
  }

  void insert_declaration(const std::string& line) { insert_line(fmt::format("declare `{}`", line), line); }

  // "allow it with -x compat=solaris", "use -x defaultargs: ..."
  void add_option(std::string_view hint) {
    if (size_t at = hint.find("-x "); at != std::string_view::npos) {
      std::string_view option = hint.substr(at + 3);
      option = option.substr(0, option.find_first_of(" :,;`)"));
      insert_line(fmt::format("set the option {}", option), fmt::format("#pragma D option {}", option));
    }
  }

  const std::string& text_;
  const Problem& problem_;
  std::vector<Candidate> candidates_;
};

std::string changed_text(std::string text, const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) text.replace(edit.range.begin, edit.range.end - edit.range.begin, edit.text);
  return text;
}

// The place of the first problem that is no warning; the end if there is none.
uint32_t first_error(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) return problem.range.begin;
  return UINT32_MAX;
}

}  // namespace

std::vector<QuickFix> LanguageService::quick_fixes(const std::string& path, const std::string& text,
                                                   const Problem& problem) const {
  constexpr size_t max_tries = 8;
  std::vector<QuickFix> fixes;
  FixFinder finder(text, problem);
  for (const std::string& hint : problem.hints) {
    std::vector<Candidate> candidates = finder.candidates(hint);
    if (candidates.size() > max_tries) candidates.resize(max_tries);
    for (const Candidate& candidate : candidates) {
      std::string changed = changed_text(text, candidate.edits);
      const Edit& edit = candidate.edits.front();
      // A later problem must be behind the changed text.
      int64_t moved = static_cast<int64_t>(edit.text.size()) - (edit.range.end - edit.range.begin);
      int64_t place = first_error(analysis_.check(path, changed));
      if (place <= static_cast<int64_t>(problem.range.end) + std::max<int64_t>(0, moved)) continue;
      fixes.push_back({candidate.title, candidate.edits});
      break;
    }
  }
  return fixes;
}

}  // namespace dscope
