// References lead somewhere: sections of the reference documents (`design.md 6`) and decision records (`decision 0019`)
// in comments and documents, and paths of files in documents.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

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

// Calls `visit(path, line number, line)` for the lines of sources, tests and documents.
template <typename Visitor>
void for_each_line(const Visitor& visit) {
  for (const char* folder : {"src", "frontend", "codegen", "runtime", "tests/unit", "tests/oracle", "docs"})
    for (const auto& entry : fs::recursive_directory_iterator(repository / folder)) {
      static const std::set<std::string> extensions{".cpp", ".h", ".c", ".def", ".md"};
      if (!extensions.contains(entry.path().extension())) continue;
      std::ifstream stream(entry.path());
      size_t number = 0;
      for (std::string line; std::getline(stream, line);) visit(entry.path(), ++number, line);
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

TEST(References, DecisionsExist) {
  static const std::regex reference(R"(decisions?[ /]([0-9]{4})\b)");
  for_each_line([](const fs::path& file, size_t number, const std::string& line) {
    if (line.find("decision") == std::string::npos) return;
    for_each_match(line, reference, [&](const std::smatch& match) {
      EXPECT_TRUE(has_decision(match[1])) << file << ":" << number << ": " << match[0];
    });
  });
}

// Upper case in a path marks a placeholder: `runtime/providers/NAME.cpp`.
TEST(References, FilesExist) {
  static const std::regex reference(
      R"((?:^|[\s`("])((?:src|frontend|codegen|runtime|tests|docs|man|tools)/[a-z0-9_/.-]+\.(?:bpf\.c|cpp|h|def|md|c|cmake|txt))(?![A-Za-z0-9_.*]*[A-Za-z0-9_*]))");
  for_each_line([](const fs::path& file, size_t number, const std::string& line) {
    if (file.extension() != ".md") return;
    for_each_match(line, reference, [&](const std::smatch& match) {
      EXPECT_TRUE(fs::exists(repository / match[1].str())) << file << ":" << number << ": " << match[1];
    });
  });
}

}  // namespace
