// The folder picture of docs/architecture.md: the folders of the sources in the order of the build, with their
// descriptions (source_folders.h). DSCOPE_UPDATE_GOLDEN=1 rewrites it.
#include <gtest/gtest.h>

#include <set>

#include "tests/support/golden_files.h"
#include "tests/unit/tree/source_folders.h"

namespace dscope {
namespace {

std::string picture_of(const std::vector<SourceFolder>& folders) {
  constexpr size_t name_width = 20;
  std::string text;
  for (const SourceFolder& folder : folders) {
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
  const std::filesystem::path page = std::filesystem::path(DSCOPE_ROOT) / "docs/architecture.md";
  const std::string open = "<!-- folders -->\n```\n", close = "```\n<!-- end -->";
  std::string text = read_file(page);
  size_t begin = text.find(open);
  ASSERT_NE(begin, std::string::npos);
  begin += open.size();
  size_t end = text.find(close, begin);
  ASSERT_NE(end, std::string::npos);
  expect_golden(page, text.substr(0, begin) + picture_of(source_folders()) + text.substr(end));
}

TEST(ArchitecturePage, DescribesEveryFolder) {
  const std::filesystem::path root = DSCOPE_ROOT;
  std::set<std::string> described;
  for (const SourceFolder& folder : source_folders())
    if (!folder.description.empty()) described.insert(folder.path);
  for (const char* module : {"src", "frontend", "codegen", "runtime"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / module)) {
      if (!entry.is_directory()) continue;
      std::string path = std::filesystem::relative(entry.path(), root);
      EXPECT_TRUE(described.contains(path))
          << path << ": begin its CMakeLists.txt with a sentence about it, or add `# NAME/: DESCRIPTION` to that of "
          << "the folder above";
    }
}

}  // namespace
}  // namespace dscope
