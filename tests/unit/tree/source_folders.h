// The folders of the sources, read from the CMakeLists.txt files. These state the order of the folders, which is the
// order of the build, and describe each folder: in the first sentence of its CMakeLists.txt, or, for a folder without
// one, in a comment `# NAME/: DESCRIPTION` in that of its parent.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

struct SourceFolder {
  std::string path;  // below the root: "frontend/check"
  std::string description;
};

// "# Program -> Semantics: names and types. More." -> "Program -> Semantics: names and types"
inline std::string first_sentence(std::string_view comment) {
  comment.remove_prefix(std::min(comment.size(), comment.find_first_not_of("# ")));
  comment = comment.substr(0, comment.find(". "));
  if (comment.ends_with('.')) comment.remove_suffix(1);
  return std::string(comment);
}

inline std::vector<std::string> lines_of_cmake(const std::string& folder) {
  std::vector<std::string> lines;
  std::ifstream file(std::filesystem::path(DSCOPE_ROOT) / folder / "CMakeLists.txt");
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Appends `folder` and, in the order of its CMakeLists.txt, the folders below it.
inline void append_folder(std::vector<SourceFolder>& folders, const std::string& folder) {
  static const std::regex library(R"(add_subdirectory\(([a-z_]+)\))"), part(R"(# ([a-z_]+)/: (.*))");
  std::vector<std::string> lines = lines_of_cmake(folder);
  folders.push_back({folder, lines.empty() || !lines[0].starts_with("# ") ? "" : first_sentence(lines[0])});
  for (const std::string& line : lines) {
    std::smatch match;
    if (std::regex_match(line, match, library)) append_folder(folders, folder + "/" + match[1].str());
    else if (std::regex_match(line, match, part))
      folders.push_back({folder + "/" + match[1].str(), first_sentence(match[2].str())});
  }
}

inline std::vector<SourceFolder> source_folders() {
  std::vector<SourceFolder> folders;
  static const std::regex module(R"( *add_subdirectory\(([a-z_/]+)\))");
  for (const std::string& line : lines_of_cmake("."))
    if (std::smatch match; std::regex_match(line, match, module) && match[1] != "tests")
      append_folder(folders, match[1].str());
  return folders;
}

}  // namespace dscope
