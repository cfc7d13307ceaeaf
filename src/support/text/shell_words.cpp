#include "support/text/shell_words.h"

#include <optional>
#include <utility>

#include "support/text/words.h"

namespace dscope {
namespace {

class WordSplitter {
 public:
  explicit WordSplitter(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> split() {
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (is_blank(c)) end_word();
      else if (c == '\\') escape();
      else if (c != '\'' && c != '"') word().push_back(c);
      else if (!quoted(c)) return fail(Error::make("unterminated {} in: {}", c, text_));
    }
    end_word();
    return std::move(words_);
  }

 private:
  // Begins a word if there is none.
  std::string& word() { return word_ ? *word_ : word_.emplace(); }

  void end_word() {
    if (word_) words_.push_back(*std::exchange(word_, std::nullopt));
  }

  // Behind a backslash. At the end of the text, the backslash stands for itself.
  void escape() {
    if (at_ == text_.size()) word().push_back('\\');
    else if (char c = text_[at_++]; c != '\n') word().push_back(c);
  }

  bool quoted(char quote) {
    constexpr std::string_view escapable = "\"\\$`\n";
    word();
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (c == quote) return true;
      bool is_escape =
          quote == '"' && c == '\\' && at_ < text_.size() && escapable.find(text_[at_]) != std::string_view::npos;
      if (is_escape) escape();
      else word().push_back(c);
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::optional<std::string> word_;
  std::vector<std::string> words_;
};

}  // namespace

Result<std::vector<std::string>> split_shell_words(std::string_view text) { return WordSplitter{text}.split(); }

std::string quote_shell_word(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return std::string{word};
  std::string text = "'";
  for (char c : word) {
    if (c == '\'') text += "'\\''";
    else text += c;
  }
  return text + "'";
}

}  // namespace dscope
