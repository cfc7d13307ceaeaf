// Rules of docs/writing.md that a program can check: no sentence of a comment hides its subject, names use the words of
// the field, and spelling is American.
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

bool ends_with_extension(const fs::path& path, std::initializer_list<std::string_view> extensions) {
  const std::string extension = path.extension();
  for (std::string_view each : extensions)
    if (extension == each) return true;
  return false;
}

// Calls `visit(path below the root, line number, line)` for each line of the sources, tests and scripts.
void visit_lines(const std::function<void(const std::string&, size_t, const std::string&)>& visit) {
  for (const char* folder : {"src", "frontend", "codegen", "runtime", "tests", "cmake", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(DSCOPE_ROOT) / folder)) {
      const std::string path = fs::relative(entry.path(), DSCOPE_ROOT);
      if (path.find("/corpus/") != std::string::npos || path.find("/node_modules/") != std::string::npos) continue;
      if (path == "tests/unit/tree/words_test.cpp") continue;
      if (!ends_with_extension(entry.path(),
                               {".cpp", ".h", ".c", ".def", ".inc", ".d", ".js", ".py", ".sh", ".cmake", ".txt"}))
        continue;
      std::ifstream stream(entry.path());
      size_t number = 0;
      for (std::string line; std::getline(stream, line);) visit(path, ++number, line);
    }
}

// The text of the comment in a line; nothing if it has none.
std::optional<std::string> comment_text(const std::string& path, const std::string& line) {
  const bool has_hashes = ends_with_extension(path, {".py", ".sh", ".cmake", ".txt"});
  for (std::string_view mark :
       has_hashes ? std::vector<std::string_view>{"# "} : std::vector<std::string_view>{"// ", "/* "})
    if (size_t at = line.find(mark); at != std::string::npos) return line.substr(at + mark.size());
  return {};
}

TEST(Tree, SentencesOfCommentsBeginWithTheirSubject) {
  // "That" may precede a noun.
  static const std::regex sentence(R"((^|[.:] )(What|Who|Of|The same) )");
  std::string last_path;
  bool ends_sentence = true;  // the comment in the line before, if it had one
  visit_lines([&](const std::string& path, size_t number, const std::string& line) {
    if (path != last_path) ends_sentence = true;
    last_path = path;
    std::optional<std::string> comment = comment_text(path, line);
    if (!comment) {
      ends_sentence = true;
      return;
    }
    const bool is_question = comment->find('?') != std::string::npos;
    for (std::sregex_iterator it(comment->begin(), comment->end(), sentence), end; !is_question && it != end; ++it)
      if (it->position() != 0 || ends_sentence) ADD_FAILURE() << path << ":" << number << ": " << *comment;
    ends_sentence = comment->empty() || std::string_view(".:;").find(comment->back()) != std::string_view::npos;
  });
}

TEST(Tree, NamesUseTheWordsOfTheField) {
  constexpr std::array<std::string_view, 3> prefixes{"most_", "least_", "usual_"};
  visit_lines([&](const std::string& path, size_t number, const std::string& line) {
    if (!ends_with_extension(path, {".cpp", ".h", ".c", ".py"})) return;
    for (std::string_view prefix : prefixes) {
      size_t at = line.find(prefix);
      if (at == std::string::npos || (at != 0 && (std::isalnum(line[at - 1]) != 0 || line[at - 1] == '_'))) continue;
      ADD_FAILURE() << path << ":" << number << ": " << prefix << " instead of max_, min_ or default_";
    }
  });
}

TEST(Tree, SpellingIsAmerican) {
  // Stems that no American word has.
  constexpr std::array<std::string_view, 14> stems{"colour",    "behaviour", "neighbour", "favour",   "honour",
                                                   "initialis", "optimis",   "recognis",  "normalis", "serialis",
                                                   "catalogue", "labelled",  "towards",   "whilst"};
  visit_lines([&](const std::string& path, size_t number, const std::string& line) {
    for (std::string_view stem : stems)
      // An optimistic lock is spelled like this.
      if (size_t at = line.find(stem); at != std::string::npos && line.compare(at, 9, "optimisti") != 0)
        ADD_FAILURE() << path << ":" << number << ": " << stem;
  });
}

}  // namespace
