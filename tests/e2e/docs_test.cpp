// What the pages for users show must compile on this machine: every block of D in docs/.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

// The texts between ```d and ```.
std::vector<std::string> programs_of(const fs::path& page) {
  std::ifstream file(page);
  std::vector<std::string> programs;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      is_inside = line == "```d";
      if (is_inside) programs.emplace_back();
    } else if (is_inside) {
      programs.back() += line + "\n";
    }
  }
  return programs;
}

TEST(Docs, EveryProgramCompiles) {
  size_t count = 0;
  for (const auto& page : fs::directory_iterator(fs::path(DSCOPE_SOURCE_DIR) / "docs")) {
    if (page.path().extension() != ".md") continue;
    for (const std::string& program : programs_of(page.path())) {
      fs::path script = fs::path(::testing::TempDir()) / "dscope_docs_test.d";
      std::ofstream(script) << program;
      Outcome outcome = dscope({"-e", "-s", script});
      fs::remove(script);
      EXPECT_EQ(outcome.status, 0) << page.path() << "\n" << program << outcome.err;
      ++count;
    }
  }
  EXPECT_GE(count, 6U);
}

}  // namespace
}  // namespace dscope::e2e
