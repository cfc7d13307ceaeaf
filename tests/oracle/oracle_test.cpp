// A correctness oracle: runs random D programs on the kernel and compares their output with a model of D's rules that
// was written independently of the compiler. A program that the verifier rejects is a failure too. Each failure is
// shrunk to a minimal program.
//   DSCOPE_ORACLE_COUNT    number of programs (default: some tens)
//   DSCOPE_ORACLE_SEED     first seed; each script uses the next one (default: a fixed seed)
//   DSCOPE_ORACLE_FOLDER   folder for failed scripts and their minimal forms; the run continues after a failure
//   DSCOPE_ORACLE_PROGRAM  the dscope to test instead of the one just built, such as a release build
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "runner.h"
#include "tests/e2e/e2e_support.h"

namespace dscope::oracle {
namespace {

// Every program gets its own seed, and another seed if its behavior is undefined.
Program defined_program(uint64_t seed, size_t index, const Setting& setting, Size size) {
  for (;; seed += 1000003) {
    Generator generator(seed, "_p" + std::to_string(index), setting.strsize, setting.site_of(index), size);
    Program program = generator.program();
    if (predict(program)) return program;
  }
}

std::string report(std::vector<Program> programs, const Setting& setting, const Verdict& verdict) {
  std::string whole = script(programs, setting);
  if (programs.size() > 1 && verdict.program < programs.size()) {
    std::vector<Program> alone{programs[verdict.program]};
    if (judge(alone, setting).kind == verdict.kind) programs = alone;
  }
  programs = shrink(programs, setting, verdict);
  Verdict last = judge(programs, setting);
  return "strsize " + std::to_string(setting.strsize) + "\n" + script(programs, setting) + "\n" + last.text +
         "\nbefore shrinking:\n" + verdict.text + "\nin:\n" + whole;
}

struct Campaign {
  uint64_t seed;
  size_t count;
  size_t batch;  // programs in one script
  Size size;
  Setting (*setting)(std::mt19937_64&) = random_setting;
};

// True if the programs agree with the model.
bool run_script(uint64_t seed, const Campaign& campaign, std::string& failure) {
  std::mt19937_64 random(seed);
  Setting setting = campaign.setting(random);
  std::vector<Program> programs;
  for (size_t i = 0; i < campaign.batch; ++i) programs.push_back(defined_program(random(), i, setting, campaign.size));
  Verdict verdict = judge(programs, setting);
  if (verdict.kind == Verdict::Kind::Agrees) return true;
  if (const char* folder = getenv("DSCOPE_ORACLE_FOLDER"))
    std::ofstream(std::string(folder) + "/" + std::to_string(seed) + ".d") << script(programs, setting);
  std::cout << "seed " << seed << " fails: " << verdict.text.substr(0, 500) << std::endl;
  failure = "seed " + std::to_string(seed) + ", " + report(std::move(programs), setting, verdict);
  return false;
}

void run(const Campaign& campaign) {
  const char* folder = getenv("DSCOPE_ORACLE_FOLDER");
  uint64_t seed = campaign.seed;
  for (size_t done = 0; done < campaign.count; done += campaign.batch, ++seed) {
    std::string failure;
    if (!run_script(seed, campaign, failure)) {
      ADD_FAILURE() << failure.substr(0, 8000);
      if (folder == nullptr) return;
      std::ofstream(std::string(folder) + "/" + std::to_string(seed) + "." + std::to_string(campaign.batch)) << failure;
    }
    if (folder != nullptr && seed % 5 == 0) std::cout << "seed " << seed << " programs " << done << std::endl;
  }
}

class Oracle : public testing::Test {
 protected:
  void SetUp() override { SKIP_UNLESS_TRACING(); }
  static uint64_t seed() { return number_or("DSCOPE_ORACLE_SEED", 1); }
  static size_t count(size_t fallback) { return number_or("DSCOPE_ORACLE_COUNT", fallback); }
};

// Each clause is a separate BPF function.
TEST_F(Oracle, ScriptsOfManyProgramsMatchModel) {
  run({.seed = seed(), .count = count(120), .batch = 40, .size = {.clauses = 2, .statements = 4, .depth = 4}});
}

// All clauses share one BPF function.
TEST_F(Oracle, SingleProgramsMatchModel) {
  run({.seed = seed(), .count = count(12), .batch = 1, .size = {.clauses = 4, .statements = 8, .depth = 6}});
}

// The aggregations have the sums of both threads exactly.
TEST_F(Oracle, ProgramsOfTwoThreadsMatchModel) {
  run({.seed = seed(),
       .count = count(40),
       .batch = 8,
       .size = {.clauses = 2, .statements = 4, .depth = 4},
       .setting = concurrent_setting});
}

// The second back end needs no kernel. Both back ends agree with the model, and so with each other.
TEST(NativeOracle, ScriptsOfManyProgramsMatchModel) {
  run({.seed = number_or("DSCOPE_ORACLE_SEED", 1),
       .count = number_or("DSCOPE_ORACLE_COUNT", 60),
       .batch = 20,
       .size = {.clauses = 2, .statements = 4, .depth = 4},
       .setting = native_setting});
}

TEST(NativeOracle, SingleProgramsMatchModel) {
  run({.seed = number_or("DSCOPE_ORACLE_SEED", 1000),
       .count = number_or("DSCOPE_ORACLE_COUNT", 4),
       .batch = 1,
       .size = {.clauses = 4, .statements = 8, .depth = 6},
       .setting = native_setting});
}

}  // namespace
}  // namespace dscope::oracle
