// Goldens: input files in folders of tests/golden, each beside its expected output. DSCOPE_UPDATE_GOLDEN=1 in the
// environment rewrites the expected output. Users of this header define DSCOPE_GOLDEN_DIR.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace dscope {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The D programs in a folder of tests/golden and in the folders below it, sorted.
inline std::vector<std::filesystem::path> golden_inputs(const char* folder) {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path root = std::filesystem::path(DSCOPE_GOLDEN_DIR) / folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().extension() == ".d") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline std::string golden_test_name(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.parent_path().filename().string() + "_" + info.param.stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

inline void expect_golden(const std::filesystem::path& expected, const std::string& actual) {
  if (std::getenv("DSCOPE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(expected, std::ios::binary) << actual;
    return;
  }
  EXPECT_EQ(read_file(expected), actual) << "DSCOPE_UPDATE_GOLDEN=1 accepts the new text of " << expected;
}

}  // namespace dscope
