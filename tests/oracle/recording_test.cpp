// Runs random printf() calls and aggregations on the kernel and compares their exact output with a model.
// DSCOPE_ORACLE_SEED and DSCOPE_ORACLE_COUNT (scripts) as in oracle_test.cpp.
#include <gtest/gtest.h>

#include <cstdlib>

#include "recording.h"
#include "runner.h"
#include "tests/e2e/e2e_support.h"

namespace dscope::oracle {
namespace {

void run(Recording (*make)(std::mt19937_64&, int), int size, bool is_native) {
  uint64_t first = number_or("DSCOPE_ORACLE_SEED", 1), count = number_or("DSCOPE_ORACLE_COUNT", 4);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(seed);
    Recording recording = make(random, size);
    e2e::Outcome outcome = run_script(recording.script, {"-x", "nolibs", "-x", "bufsize=16m"}, is_native);
    ASSERT_EQ(outcome.out, recording.text) << "seed " << seed << "\n" << recording.script << outcome.err;
  }
}

class Recordings : public testing::Test {
 protected:
  void SetUp() override { SKIP_UNLESS_TRACING(); }
};

TEST_F(Recordings, PrintfMatchesModel) { run(random_printfs, 60, false); }
TEST_F(Recordings, AggregationsMatchModel) { run(random_aggregations, 12, false); }

// On the second back end.
TEST(NativeRecordings, PrintfMatchesModel) { run(random_printfs, 60, true); }
TEST(NativeRecordings, AggregationsMatchModel) { run(random_aggregations, 12, true); }

}  // namespace
}  // namespace dscope::oracle
