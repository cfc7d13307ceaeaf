// Runs random printf() calls and aggregations on the kernel and compares their exact output with a model.
// DSCOPE_ORACLE_SEED and DSCOPE_ORACLE_COUNT (scripts) as in oracle_test.cpp.
#include <gtest/gtest.h>

#include <cstdlib>

#include "recording.h"
#include "runner.h"
#include "tests/e2e/e2e_support.h"

namespace dscope::oracle {
namespace {

class Recordings : public testing::Test {
 protected:
  void SetUp() override { SKIP_UNLESS_TRACING(); }

  static void run(Recording (*make)(std::mt19937_64&, int), int size) {
    for (uint64_t seed = first_seed(), end = seed + count(); seed < end; ++seed) {
      std::mt19937_64 random(seed);
      Recording recording = make(random, size);
      e2e::Outcome outcome = run_script(recording.script, {"-x", "nolibs", "-x", "bufsize=16m"});
      ASSERT_EQ(outcome.out, recording.text) << "seed " << seed << "\n" << recording.script << outcome.err;
    }
  }

 private:
  static uint64_t first_seed() { return number_or("DSCOPE_ORACLE_SEED", 1); }
  static uint64_t count() { return number_or("DSCOPE_ORACLE_COUNT", 4); }
};

TEST_F(Recordings, PrintfMatchesModel) { run(random_printfs, 60); }
TEST_F(Recordings, AggregationsMatchModel) { run(random_aggregations, 12); }

}  // namespace
}  // namespace dscope::oracle
