// References in comments and documents lead somewhere: to sections of the reference documents (`design.md 6`), decision
// records (`decision 0019`), files, functions and members of classes. Numbers of sections follow a document's name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path repository = DSCOPE_ROOT;

std::set<std::string> section_numbers(const fs::path& document) {
  static const std::regex heading(R"(^#+ ([0-9]+(?:\.[0-9]+)*|[A-H])\.? .*)");
  std::set<std::string> numbers;
  std::ifstream stream(document);
  std::smatch match;
  for (std::string line; std::getline(stream, line);)
    if (std::regex_match(line, match, heading)) numbers.insert(match[1]);
  return numbers;
}

const std::map<std::string, std::set<std::string>>& sections() {
  static const std::map<std::string, std::set<std::string>> all = [] {
    std::map<std::string, std::set<std::string>> found;
    for (const auto& entry : fs::directory_iterator(repository / "docs/reference"))
      found[entry.path().filename()] = section_numbers(entry.path());
    found["style.md"] = section_numbers(repository / "docs/style.md");
    return found;
  }();
  return all;
}

bool has_decision(const std::string& number) {
  for (const auto& entry : fs::directory_iterator(repository / "docs/decisions"))
    if (entry.path().filename().string().starts_with(number + "-")) return true;
  return false;
}

// The part of a line that a comment takes. Documents consist of nothing else.
std::string comment_of(const fs::path& file, const std::string& line) {
  if (file.extension() == ".md" || file.extension() == ".in") return line;
  if (file.extension() == ".cmake" || file.extension() == ".txt" || !file.has_extension())
    return line.substr(std::min(line.find('#'), line.size()));
  size_t begin = std::min(line.find("//"), line.find("/*"));
  if (line.starts_with(" * ")) begin = 0;
  return begin == std::string::npos ? std::string{} : line.substr(begin);
}

std::set<std::string> words_of(const std::string& text) {
  static const std::regex word(R"(\w+)");
  std::set<std::string> words;
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) words.insert(it->str());
  return words;
}

std::vector<fs::path> referring_files() {
  static const std::set<std::string> extensions{".cpp", ".h", ".c", ".d", ".def", ".in", ".inc", ".md", ".cmake"};
  std::vector<fs::path> files;
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CMakeLists.txt", "dev"}) files.push_back(repository / name);
  for (const char* folder : {"src", "frontend", "codegen", "runtime", "tests", "docs", "man", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(repository / folder))
      if (extensions.contains(entry.path().extension()) || entry.path().filename() == "CMakeLists.txt")
        files.push_back(entry.path());
  return files;
}

// Calls `visit(path, line number, line)` for the lines of sources, tests, scripts and documents.
template <typename Visitor>
void for_each_line(const Visitor& visit) {
  static const std::vector<fs::path> files = referring_files();
  for (const fs::path& file : files) {
    std::ifstream stream(file);
    size_t number = 0;
    for (std::string line; std::getline(stream, line);) visit(file, ++number, line);
  }
}

// Calls `check(match)` for each match of `pattern` in `line`.
template <typename Check>
void for_each_match(const std::string& line, const std::regex& pattern, const Check& check) {
  for (std::sregex_iterator it(line.begin(), line.end(), pattern), end; it != end; ++it) check(*it);
}

TEST(References, SectionsExist) {
  static const std::regex reference(
      R"(\b((?:design|kernel-facts|d-language|providers|consumer-and-actions|style)\.md)`? ([0-9]+(?:\.[0-9]+)*|[A-H]\b))");
  size_t count = 0;
  for_each_line([&](const fs::path& file, size_t number, const std::string& line) {
    if (line.find(".md") == std::string::npos) return;
    for_each_match(line, reference, [&](const std::smatch& match) {
      ++count;
      EXPECT_TRUE(sections().at(match[1]).contains(match[2])) << file << ":" << number << ": " << match[0];
    });
  });
  EXPECT_GT(count, 100U);
}

// Three documents have a section 1.7.
TEST(References, SectionsNameTheirDocument) {
  static const std::regex bare(R"(\([0-9]+\.[0-9]+[,;)])");
  for_each_line([&](const fs::path& file, size_t number, const std::string& line) {
    if (fs::relative(file, repository).string().starts_with("tests/") || file.extension() == ".md") return;
    std::string comment = comment_of(file, line);
    EXPECT_FALSE(std::regex_search(comment, bare)) << file << ":" << number << ": " << comment;
  });
}

TEST(References, DecisionsExist) {
  static const std::regex reference(R"(decisions?[ /]([0-9]{4})\b)");
  for_each_line([](const fs::path& file, size_t number, const std::string& line) {
    if (line.find("decision") == std::string::npos) return;
    for_each_match(line, reference, [&](const std::smatch& match) {
      EXPECT_TRUE(has_decision(match[1])) << file << ":" << number << ": " << match[0];
    });
  });
}

// The end of a path is enough: `lexer.cpp`, `syntax/lexer.cpp`. Upper case marks a placeholder:
// `runtime/providers/NAME.cpp`.
bool is_file(const std::string& path) {
  static const std::set<std::string> ends = [] {
    std::set<std::string> found;
    for (const char* folder : {"src", "frontend", "codegen", "runtime", "tests", "docs", "include", "man", "tools"})
      for (const auto& entry : fs::recursive_directory_iterator(repository / folder))
        for (std::string end = "/" + fs::relative(entry.path(), repository).string();;) {
          end.erase(0, 1);
          found.insert(end);
          end.erase(0, end.find('/'));
          if (end.empty()) break;
        }
    return found;
  }();
  return ends.contains(path);
}

// Files of other projects, files that the build makes, and examples.
bool is_foreign_file(const std::string& path) {
  static const std::set<std::string> names{"derived_provider_texts.cpp", "throw.cpp", "_test.cpp"};
  for (const char* folder : {"include/uapi/", "include/linux/", "linux/", "asm/", "bpf/", "clang-c/", "src/cc/"})
    if (path.starts_with(folder)) return true;
  return names.contains(path);
}

TEST(References, FilesExist) {
  // Headers and C files without a folder are mostly those of systems and of examples.
  static const std::regex reference(
      R"((?:^|[^\w/.*{}$<-])((?:(?:[\w-]+/)*[\w-]+(?:\.bpf\.c|\.cpp|\.def|\.inc))|(?:(?:[\w-]+/)+[\w-]+\.(?:h|md|cmake|txt)))(?![\w*(]))");
  static const std::regex placeholder(R"(.*/[A-Z]+\.\w+)");
  size_t count = 0;
  for_each_line([&](const fs::path& file, size_t number, const std::string& line) {
    for_each_match(comment_of(file, line), reference, [&](const std::smatch& match) {
      std::string path = match[1];
      ++count;
      bool exists = is_file(path) || is_foreign_file(path) || std::regex_match(path, placeholder);
      EXPECT_TRUE(exists) << file << ":" << number << ": " << path;
    });
  });
  EXPECT_GT(count, 200U);
}

// The words of our code outside comments, names of D included.
const std::set<std::string>& code_words() {
  static const std::set<std::string> all = [] {
    std::set<std::string> words;
    for_each_line([&](const fs::path& file, size_t, const std::string& line) {
      if (file.filename() == "references_test.cpp") return;
      words.merge(words_of(line.substr(0, line.size() - comment_of(file, line).size())));
    });
    return words;
  }();
  return all;
}

// `name()` in a comment or document is a function of ours, of D or of a library that we call. Helpers of the kernel
// have names of their own, macros stand for what users write, and writing.md cites names that are gone.
TEST(References, FunctionsExist) {
  static const std::regex reference(R"((?:^|[^\w*.])([a-z]\w*)\(\))");
  size_t count = 0;
  for_each_line([&](const fs::path& file, size_t number, const std::string& line) {
    if (file.filename() == "writing.md" || line.find("()") == std::string::npos) return;
    for_each_match(comment_of(file, line), reference, [&](const std::smatch& match) {
      std::string name = match[1];
      ++count;
      EXPECT_TRUE(name.starts_with("bpf_") || code_words().contains(name)) << file << ":" << number << ": " << match[0];
    });
  });
  EXPECT_GT(count, 500U);
}

TEST(References, MembersExist) {
  static const std::regex reference(R"(\b([A-Z]\w*)::~?(\w*[^\W_])\b)");
  for_each_line([&](const fs::path& file, size_t number, const std::string& line) {
    // In the manual page, upper case marks placeholders.
    bool is_prose = file.filename() == "writing.md" || file.extension() == ".in";
    if (is_prose || line.find("::") == std::string::npos) return;
    for_each_match(comment_of(file, line), reference, [&](const std::smatch& match) {
      EXPECT_TRUE(code_words().contains(match[1]) && code_words().contains(match[2]))
          << file << ":" << number << ": " << match[0];
    });
  });
}

}  // namespace
