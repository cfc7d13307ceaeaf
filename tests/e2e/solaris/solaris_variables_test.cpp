// Compares the Solaris kernel's variables (option compat=solaris) with /proc.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

uint64_t free_kilobytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    uint64_t amount = 0;
    file >> amount;
    std::getline(file, unit);
    if (name == "MemFree:") return amount;
  }
  return 0;
}

TEST(SolarisVariables, MatchProc) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-q", "-x", "compat=solaris", "-n",
                            "BEGIN { printf(\"%d %d \", `freemem * (`_pagesize / 1024), `hp_avenrun[1]); exit(0); }"});
  std::istringstream text(outcome.out);
  uint64_t free = 0;
  double load = 0, before[3] = {};
  text >> free >> load;
  std::ifstream("/proc/loadavg") >> before[0] >> before[1] >> before[2];
  EXPECT_GT(free, free_kilobytes() / 4) << outcome.err;
  EXPECT_LT(free, free_kilobytes() * 4);
  EXPECT_NEAR(load / 65536, before[1], 0.5 + before[1] / 4);
}

}  // namespace
}  // namespace dscope::e2e
