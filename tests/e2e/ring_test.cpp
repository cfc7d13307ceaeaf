// Several ring buffers, as on large machines: option ringcpus makes them on small ones.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <sstream>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

constexpr const char* flood = DSCOPE_TRIGGERS "/flood";

struct Rows {
  size_t count = 0, disordered = 0;
};

// Rows of "row THREAD NUMBER", where each thread counts.
Rows rows_of(const std::string& text) {
  Rows rows;
  std::map<long, long> last;
  std::istringstream lines(text);
  for (std::string word; lines >> word;) {
    long thread = 0, number = 0;
    if (word != "row" || !(lines >> thread >> number)) continue;
    ++rows.count;
    auto known = last.find(thread);
    rows.disordered += known != last.end() && number != known->second + 1;
    last[thread] = number;
  }
  return rows;
}

constexpr const char* numbered = "syscall::getppid:entry /pid == $target/ { printf(\"row %d %d\\n\", tid, arg0); }";

std::vector<std::string> options(const char* ringcpus) { return {"-x", std::string("ringcpus=") + ringcpus}; }

Outcome run_flood(std::vector<std::string> arguments, const std::string& program,
                  const std::string& arguments_of_flood) {
  arguments.insert(arguments.end(), {"-qn", program, "-c", std::string(flood) + " " + arguments_of_flood});
  return dscope(std::move(arguments));
}

TEST(Rings, KeepEveryRowAndTheOrderOfEachThread) {
  SKIP_UNLESS_TRACING();
  for (const char* ringcpus : {"0", "1", "2"}) {
    Outcome outcome = run_flood(options(ringcpus), numbered, "4 20000 -1");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    Rows rows = rows_of(outcome.out);
    EXPECT_EQ(rows.count, 80000U);
    EXPECT_EQ(rows.disordered, 0U);
  }
}

// One process runs after the other, on alternating CPUs, and one pass reads them all.
TEST(Rings, MergeByTime) {
  SKIP_UNLESS_TRACING();
  std::vector<std::string> arguments = options("1");
  arguments.insert(arguments.end(),
                   {"-x", "switchrate=10s", "-qn",
                    "syscall::exit_group:entry /progenyof($target) && execname == \"true\"/ { printf(\"row 0 %d\\n\", "
                    "n++); }",
                    "--", "sh", "-c", "for i in 1 2 3 4 5 6 7 8; do taskset -c 0 true; taskset -c 1 true; done"});
  Outcome outcome = dscope(std::move(arguments));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  Rows rows = rows_of(outcome.out);
  EXPECT_GE(rows.count, 8U);  // fewer if there is only one CPU
  EXPECT_EQ(rows.disordered, 0U) << outcome.out;
}

TEST(Rings, PrintBeginFirstAndEndLast) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      run_flood(options("1"), std::string("BEGIN { printf(\"first\\n\"); } END { printf(\"last\\n\"); }") + numbered,
                "2 1000 -1");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("first\nrow")) << outcome.out.substr(0, 100);
  EXPECT_TRUE(outcome.out.ends_with("\nlast\n\n"));
}

TEST(Rings, CountWhatIsLost) {
  SKIP_UNLESS_TRACING();
  std::vector<std::string> arguments = options("1");
  arguments.insert(arguments.end(), {"-b", "16k", "-x", "switchrate=1s"});
  Outcome outcome = run_flood(std::move(arguments), numbered, "2 20000 -1");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  size_t lost = 0;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) {
    size_t number = 0, cpu = 0;
    if (std::sscanf(line.c_str(), "dscope: %zu drops on CPU %zu", &number, &cpu) == 2) lost += number;
  }
  EXPECT_GT(lost, 0U);
  EXPECT_EQ(rows_of(outcome.out).count + lost, 40000U) << outcome.err;
}

TEST(Rings, HoldSpeculationsAndFaults) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = run_flood(
      options("1"),
      "BEGIN { held = speculation(); } syscall::getppid:entry /pid == $target && arg0 < 3/ { speculate(held); "
      "printf(\"row %d\\n\", arg0); } syscall::getppid:entry /pid == $target && arg0 == 5/ { commit(held); }"
      "syscall::getppid:entry /pid == $target && arg0 == 6/ { trace(1 / (arg0 - 6)); }",
      "1 10 -1");
  EXPECT_EQ(outcome.out, "row 0\nrow 1\nrow 2\n\n");
  EXPECT_NE(outcome.err.find("divide-by-zero"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
