// The verifier must accept every program that the checker accepts: each golden program that compiles on this machine is
// loaded into its kernel. Loading precedes BEGIN, and an exit(0) in BEGIN ends the run at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> programs() {
  std::vector<fs::path> paths;
  for (const char* folder : {"ast", "check_ok", "ir", "plan"})
    for (const auto& entry : fs::directory_iterator(fs::path(DSCOPE_SOURCE_DIR) / "tests/golden" / folder))
      if (entry.path().extension() == ".d") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The command line that the golden's first line asks for: /* golden: string zdefs strsize=8 args A B */. Probes that
// this machine lacks are accepted.
std::vector<std::string> arguments_of(const fs::path& path) {
  std::vector<std::string> options{"-Z"}, operands;
  std::string text = read_file(path), letter = "-s";
  constexpr std::string_view mark = "/* golden:";
  if (text.starts_with(mark)) {
    std::istringstream words(text.substr(mark.size(), text.find("*/") - mark.size()));
    bool in_arguments = false;
    for (std::string word; words >> word;) {
      if (in_arguments) operands.push_back(word);
      else if (word == "args") in_arguments = true;
      else if (word == "string") letter = "-n";
      else if (word == "module") letter = "-m";
      else options.insert(options.end(), {"-x", word});
    }
  }
  options.insert(options.end(), {letter, letter == "-s" ? path.string() : text});
  // Every program on the command line gets the operands. The program that ends the run uses none of them.
  if (!operands.empty()) options.insert(options.end(), {"-x", "argref", "--"});
  options.insert(options.end(), operands.begin(), operands.end());
  return options;
}

class GoldenLoad : public testing::TestWithParam<fs::path> {};

TEST_P(GoldenLoad, IsAcceptedByTheVerifier) {
  SKIP_UNLESS_TRACING();
  std::vector<std::string> arguments = arguments_of(GetParam());
  std::vector<std::string> compile_only = arguments;
  compile_only.insert(compile_only.begin(), "-e");
  if (Outcome compiled = dscope(compile_only); compiled.status != 0) {
    // A program that this machine rejects gets a diagnostic, never a crash.
    EXPECT_EQ(compiled.status, 1) << compiled.err;
    return;
  }
  // This program comes first, so that its BEGIN clause runs even if the golden's own BEGIN clause exits.
  arguments.insert(arguments.begin(), {"-w", "-n", "BEGIN { exit(0); }"});
  Outcome outcome = dscope(arguments);
  if (outcome.err.find("this kernel is locked down") != std::string::npos) return;  // copyout()
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("could not enable tracing"), std::string::npos) << outcome.err;
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.parent_path().filename().string() + "_" + info.param.stem().string();
  std::replace_if(name.begin(), name.end(), [](char c) { return isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(E2e, GoldenLoad, testing::ValuesIn(programs()), test_name);

}  // namespace
}  // namespace dscope::e2e
