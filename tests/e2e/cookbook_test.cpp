// The commands of docs/cookbook.md print the output shown there. The test runs the `sh` blocks in order in one
// directory and compares the output of each with the `text` block that follows it, if any.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

struct Recipe {
  std::string commands, output;
  bool has_output = false;
};

std::vector<Recipe> recipes() {
  std::ifstream page(DSCOPE_SOURCE_DIR "/docs/cookbook.md");
  std::vector<Recipe> found;
  std::string* block = nullptr;
  for (std::string line; std::getline(page, line);) {
    if (block != nullptr && line == "```") block = nullptr;
    else if (block != nullptr) *block += line + "\n";
    else if (line == "```sh") block = &found.emplace_back().commands;
    else if (line == "```text" && !found.empty()) {
      found.back().has_output = true;
      block = &found.back().output;
    }
  }
  return found;
}

bool has_python_probes() {
  static const bool has =
      dscope({"-l", "-n", "python$target:::line", "-c", "/usr/bin/python3 -c pass"}).out.find(" line\n") !=
      std::string::npos;
  return has;
}

std::string without_blank_lines(const std::string& text) {
  std::string kept;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (end - at > 1) kept += text.substr(at, end - at);
    at = end;
  }
  return kept;
}

TEST(Cookbook, RecipesPrintTheOutputShown) {
  SKIP_UNLESS_TRACING();
  std::string directory = std::filesystem::temp_directory_path() / "cookbook_XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  std::string program = DSCOPE_PROGRAM;
  std::string setup = "cd " + directory + "; PATH=" + program.substr(0, program.rfind('/')) + ":$PATH\n";
  size_t count = 0;
  for (const Recipe& recipe : recipes()) {
    if (recipe.commands.find("/usr/bin/python3") != std::string::npos && !has_python_probes()) continue;
    Outcome outcome = run({"sh", "-ec", setup + recipe.commands});
    EXPECT_EQ(outcome.status, 0) << recipe.commands << outcome.err;
    if (recipe.has_output) {
      EXPECT_EQ(without_blank_lines(outcome.out), recipe.output) << recipe.commands << outcome.err;
    }
    ++count;
  }
  EXPECT_GE(count, 8U);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace dscope::e2e
