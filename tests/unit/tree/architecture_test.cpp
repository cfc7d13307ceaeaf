// The folder picture of docs/architecture.md: the folders of the sources in the order of the build, each with the first
// sentence of its CMakeLists.txt. A folder without a CMakeLists.txt has a comment `# NAME/: DESCRIPTION` in that of its
// parent. DSCOPE_UPDATE_GOLDEN=1 rewrites the picture.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/golden_files.h"

namespace dscope {
namespace {

const std::filesystem::path source_root = DSCOPE_ROOT;

struct PicturedFolder {
  std::string path;  // below the root: "frontend/check"
  std::string description;
};

// "# Program -> Semantics: names and types. More." -> "Program -> Semantics: names and types"
std::string first_sentence(std::string_view comment) {
  comment.remove_prefix(std::min(comment.size(), comment.find_first_not_of("# ")));
  comment = comment.substr(0, comment.find(". "));
  if (comment.ends_with('.')) comment.remove_suffix(1);
  return std::string(comment);
}

std::vector<std::string> lines_of_cmake(const std::string& folder) {
  std::vector<std::string> lines;
  std::ifstream file(source_root / folder / "CMakeLists.txt");
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Appends `folder` and, in the order of its CMakeLists.txt, the folders below it.
void append_folder(std::vector<PicturedFolder>& picture, const std::string& folder) {
  static const std::regex library(R"(add_subdirectory\(([a-z_]+)\))"), part(R"(# ([a-z_]+)/: (.*))");
  std::vector<std::string> lines = lines_of_cmake(folder);
  ASSERT_FALSE(lines.empty()) << folder;
  EXPECT_TRUE(lines[0].starts_with("# ")) << folder << "/CMakeLists.txt should start with a sentence about the folder";
  picture.push_back({folder, first_sentence(lines[0])});
  for (const std::string& line : lines) {
    std::smatch match;
    if (std::regex_match(line, match, library)) append_folder(picture, folder + "/" + match[1].str());
    else if (std::regex_match(line, match, part))
      picture.push_back({folder + "/" + match[1].str(), first_sentence(match[2].str())});
  }
}

std::vector<PicturedFolder> source_folders() {
  std::vector<PicturedFolder> picture;
  static const std::regex module(R"( *add_subdirectory\(([a-z_/]+)\))");
  for (const std::string& line : lines_of_cmake("."))
    if (std::smatch match; std::regex_match(line, match, module) && match[1] != "tests")
      append_folder(picture, match[1].str());
  return picture;
}

std::string text_of(const std::vector<PicturedFolder>& picture) {
  constexpr size_t name_width = 20;
  std::string text;
  for (const PicturedFolder& folder : picture) {
    size_t depth = static_cast<size_t>(std::count(folder.path.begin(), folder.path.end(), '/'));
    // src/driver is built last, apart from the other folders of src.
    if (folder.path.starts_with("src/driver")) --depth;
    if (depth == 0 && !text.empty()) text += '\n';
    std::string name = depth == 0 ? folder.path : folder.path.substr(folder.path.rfind('/') + 1);
    std::string line = std::string(2 * depth, ' ') + name;
    line.resize(std::max(line.size() + 1, name_width), ' ');
    text += line + folder.description + '\n';
  }
  return text;
}

TEST(ArchitecturePage, ShowsTheFoldersInTheOrderOfTheBuild) {
  const std::filesystem::path page = source_root / "docs/architecture.md";
  const std::string open = "<!-- folders -->\n```\n", close = "```\n<!-- end -->";
  std::string text = read_file(page);
  size_t begin = text.find(open);
  ASSERT_NE(begin, std::string::npos);
  begin += open.size();
  size_t end = text.find(close, begin);
  ASSERT_NE(end, std::string::npos);
  expect_golden(page, text.substr(0, begin) + text_of(source_folders()) + text.substr(end));
}

TEST(ArchitecturePage, OmitsNoFolder) {
  std::set<std::string> pictured;
  for (const PicturedFolder& folder : source_folders()) pictured.insert(folder.path);
  for (const char* module : {"src", "frontend", "codegen", "runtime"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_root / module))
      if (entry.is_directory()) {
        std::string path = std::filesystem::relative(entry.path(), source_root);
        EXPECT_TRUE(pictured.contains(path)) << path << " has no `# NAME/: DESCRIPTION` in its parent's CMakeLists.txt";
      }
}

}  // namespace
}  // namespace dscope
