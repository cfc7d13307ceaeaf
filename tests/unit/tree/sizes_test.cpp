// Sizes that a reader can hold in mind: lines of a file and of a function, sources of a folder, methods of a class.
// The code is formatted by clang-format, so indentation shows where a definition starts and ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr size_t max_source_lines = 400;
constexpr size_t max_header_lines = 300;
constexpr size_t max_test_lines = 600;
constexpr size_t max_function_lines = 60;
constexpr size_t max_folder_units = 25;
constexpr size_t max_class_methods = 60;

struct TextFile {
  std::string path;  // below the root
  std::vector<std::string> lines;

  bool is_test() const { return path.starts_with("tests/"); }
};

const std::vector<TextFile>& text_files() {
  static const std::vector<TextFile> files = [] {
    std::vector<TextFile> found;
    for (const char* folder : {"src", "frontend", "codegen", "runtime", "tests"})
      for (const auto& entry : fs::recursive_directory_iterator(fs::path(DSCOPE_ROOT) / folder)) {
        static constexpr std::array<std::string_view, 3> extensions{".cpp", ".h", ".c"};
        if (std::ranges::find(extensions, entry.path().extension().string()) == extensions.end()) continue;
        TextFile& file = found.emplace_back(fs::relative(entry.path(), DSCOPE_ROOT).string());
        std::ifstream stream(entry.path());
        for (std::string line; std::getline(stream, line);) file.lines.push_back(std::move(line));
      }
    return found;
  }();
  return files;
}

size_t indentation(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

// Marks the lines that indentation says nothing about: those within a raw string literal or a macro, preprocessor
// directives, comments and blank lines.
class CodeLines {
 public:
  bool is_code(const std::string& line) {
    if (!raw_end_.empty()) {
      if (line.find(raw_end_) != std::string::npos) raw_end_.clear();
      return false;
    }
    bool was_in_macro = std::exchange(is_in_macro_, (is_in_macro_ || line.starts_with('#')) && line.ends_with('\\'));
    size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos || was_in_macro || line[first] == '#' || line.compare(first, 2, "//") == 0)
      return false;
    find_raw_string(line);
    return true;
  }

 private:
  void find_raw_string(const std::string& line) {
    size_t begin = line.find("R\"");
    size_t open = begin == std::string::npos ? begin : line.find('(', begin);
    if (open == std::string::npos) return;
    std::string end = ")" + line.substr(begin + 2, open - begin - 2) + "\"";
    if (line.find(end, open) == std::string::npos) raw_end_ = end;
  }

  std::string raw_end_;
  bool is_in_macro_ = false;
};

struct Definition {
  size_t first_line = 0;
  size_t line_count = 0;
};

// A definition ends at a line `}`, and starts at the closest line above with the same indentation. Types and tables end
// in `};`, namespaces in `}  // namespace`.
std::vector<Definition> functions_of(const std::vector<std::string>& lines) {
  std::vector<Definition> functions;
  std::map<size_t, size_t> starts;  // by indentation
  CodeLines code_lines;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!code_lines.is_code(lines[i])) continue;
    size_t indent = indentation(lines[i]);
    auto start = starts.find(indent);
    if (lines[i].substr(indent) == "}" && start != starts.end())
      functions.push_back({.first_line = start->second + 1, .line_count = i - start->second + 1});
    starts[indent] = i;
  }
  return functions;
}

TEST(Sizes, FilesAreShort) {
  for (const TextFile& file : text_files()) {
    size_t limit = file.is_test() ? max_test_lines : file.path.ends_with(".h") ? max_header_lines : max_source_lines;
    EXPECT_LE(file.lines.size(), limit) << file.path << " has " << file.lines.size() << " lines";
  }
}

TEST(Sizes, FunctionsAreShort) {
  size_t count = 0;
  for (const TextFile& file : text_files())
    for (const Definition& function : functions_of(file.lines)) {
      ++count;
      EXPECT_LE(function.line_count, max_function_lines)
          << file.path << ":" << function.first_line << " has " << function.line_count
          << " lines: " << file.lines[function.first_line - 1];
    }
  EXPECT_GT(count, 5000U);
}

TEST(Sizes, FunctionsAreMeasuredFromTheirFirstToTheirLastLine) {
  std::vector<Definition> functions = functions_of({
      "namespace n {",              // 1
      "#define START(x) \\",        // 2
      "}",                          // 3
      "Type::Type(int a)",          // 4
      "    : a_(a) {",              // 5
      "  const char* text = R\"(",  // 6
      "}",                          // 7
      ")\";",                       // 8
      "#ifdef A",                   // 9
      "  // }",                     // 10
      "#endif",                     // 11
      "}",                          // 12
      "int table[] = {",            // 13
      "    1,",                     // 14
      "};",                         // 15
      "class Type {",               // 16
      "  void method() {",          // 17
      "    run();",                 // 18
      "  }",                        // 19
      "};",                         // 20
      "}  // namespace n",          // 21
  });
  ASSERT_EQ(functions.size(), 2U);
  EXPECT_EQ(functions[0].first_line, 4U);
  EXPECT_EQ(functions[0].line_count, 9U);
  EXPECT_EQ(functions[1].first_line, 17U);
  EXPECT_EQ(functions[1].line_count, 3U);
}

// A unit is a source with its header. Triggers are inputs of tests, one program a file.
TEST(Sizes, FoldersAreShort) {
  std::map<std::string, std::set<std::string>> units;
  for (const TextFile& file : text_files()) {
    fs::path path = file.path;
    std::string name = path.filename();
    if (path.parent_path() != "tests/e2e/triggers") units[path.parent_path()].insert(name.substr(0, name.find('.')));
  }
  for (const auto& [folder, names] : units)
    EXPECT_LE(names.size(), max_folder_units) << folder << " has " << names.size() << " sources";
}

// The declarations with parentheses one level below the class: its methods, and a few members.
TEST(Sizes, ClassesAreSmall) {
  static const std::regex opening(R"(^( *)(?:template <.*> )?(?:class|struct) (?:\w+ )*(\w+)[^;()]*\{$)");
  for (const TextFile& file : text_files()) {
    CodeLines code_lines;
    std::string end, name;
    size_t methods = 0, member_indent = 0;
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (!code_lines.is_code(line)) continue;
      if (end.empty() && line.ends_with('{') && std::regex_match(line, match, opening)) {
        end = match[1].str() + "};";
        name = match[2];
        methods = 0;
        member_indent = end.size();
      } else if (!end.empty() && line.starts_with(end)) {
        EXPECT_LE(methods, max_class_methods) << file.path << ": " << name << " has " << methods << " methods";
        end.clear();
      } else if (!end.empty() && indentation(line) == member_indent && line.find('(') != std::string::npos) {
        ++methods;
      }
    }
  }
}

}  // namespace
