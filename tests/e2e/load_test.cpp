// Under a load that the consumer cannot keep up with, every record is accounted for: on each CPU, printed plus dropped
// equals produced. DSCOPE_LOAD_FACTOR=100 makes each test that many times longer.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <regex>
#include <sstream>

#include "e2e_support.h"
#include "support/format.h"

namespace dscope::e2e {
namespace {

constexpr int64_t threads = 8;

int64_t calls_per_thread() {
  const char* factor = getenv("DSCOPE_LOAD_FACTOR");
  return 4000 * std::max(1L, factor == nullptr ? 1L : std::atol(factor));
}
int64_t produced() { return threads * calls_per_thread(); }

// Each CPU alone, then all together.
std::vector<int> cpus() {
  std::vector<int> all{-1};
  for (int cpu = 0; cpu < std::min(4L, sysconf(_SC_NPROCESSORS_ONLN)); ++cpu) all.push_back(cpu);
  return all;
}

// Runs the clauses of `program` under the load; $target's calls are getppid(0), getppid(1) ...
Outcome flood(int cpu, const std::vector<std::string>& options, const std::string& program) {
  std::vector<std::string> arguments{"-q", "-n", program, "-c",
                                     fmt::format(DSCOPE_TRIGGERS "/flood {} {} {}", threads, calls_per_thread(), cpu)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  Outcome outcome = dscope(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome;
}

struct Lost {
  int64_t count = 0;
  std::string cpus;
};
// The sum of "N KIND... on CPU C" messages.
Lost lost(const Outcome& outcome, const std::string& kind) {
  Lost sum;
  std::regex message("dscope: ([0-9]+) " + kind + "s?( on CPU ([0-9]+))?\n");
  for (std::sregex_iterator it(outcome.err.begin(), outcome.err.end(), message), end; it != end; ++it) {
    sum.count += std::stoll((*it)[1]);
    if (sum.cpus.find((*it)[3]) == std::string::npos) sum.cpus += (*it)[3];
  }
  return sum;
}

// Sum of the last words of all lines.
int64_t sum_of_lines(const std::string& text) {
  int64_t sum = 0;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) sum += std::stoll(line.substr(line.rfind(' ') + 1));
  return sum;
}

TEST(Load, RowsArePrintedOrCounted) {
  SKIP_UNLESS_TRACING();
  for (int cpu : cpus()) {
    Outcome outcome =
        flood(cpu, {"-b", "16k"}, "syscall::getppid:entry /pid == $target/ { printf(\"%d 1\\n\", arg0); }");
    Lost drops = lost(outcome, "drop");
    EXPECT_EQ(sum_of_lines(outcome.out) + drops.count, produced()) << "CPU " << cpu;
    EXPECT_GT(drops.count, 0);
    if (cpu >= 0) {
      EXPECT_EQ(drops.cpus, std::to_string(cpu));
    }
  }
}

TEST(Load, RowsAreNeverInterleaved) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      flood(-1, {"-b", "64k"},
            "syscall::getppid:entry /pid == $target/ { printf(\"<%d\", arg0); printf(\"|%d>\\n\", arg0); }");
  std::stringstream stream(outcome.out);
  std::regex whole("<([0-9]+)\\|\\1>");
  for (std::string line; std::getline(stream, line);) {
    ASSERT_TRUE(line.empty() || std::regex_match(line, whole)) << line;
  }
}

TEST(Load, AggregationsAreExactAcrossClear) {
  SKIP_UNLESS_TRACING();
  for (int cpu : cpus()) {
    Outcome outcome =
        flood(cpu, {},
              "syscall::getppid:entry /pid == $target/ { @[arg0 % 100] = count(); @s[arg0 % 100] = sum(1); }"
              "tick-10ms, END { printa(\"%d %@d\\n\", @); clear(@); }");
    // printa() printed half of the sum in pieces. The total at the end is the other half.
    EXPECT_EQ(sum_of_lines(outcome.out), 2 * produced()) << "CPU " << cpu;
    EXPECT_EQ(outcome.err, "");
  }
}

// The last call of each run of 50 has the greatest value, so it must appear in one of the periods.
TEST(Load, ExtremesAreExactAcrossClear) {
  SKIP_UNLESS_TRACING();
  for (int cpu : cpus()) {
    Outcome outcome = flood(cpu, {},
                            "syscall::getppid:entry /pid == $target/ { @high[tid, arg0 / 50] = max(arg0 % 50); "
                            "@low[tid, arg0 / 50] = min(-(arg0 % 50)); }"
                            "tick-10ms, END { printa(\"%d/%d %@d %@d\\n\", @high, @low); clear(@high); clear(@low); }");
    std::map<std::string, std::pair<int64_t, int64_t>> extremes;
    std::stringstream stream(outcome.out);
    std::string key;
    for (int64_t high = 0, low = 0; stream >> key >> high >> low;) {
      auto& [highest, lowest] = extremes[key];
      highest = std::max(highest, high);
      lowest = std::min(lowest, low);
    }
    EXPECT_EQ(extremes.size(), static_cast<size_t>(produced() / 50)) << "CPU " << cpu;
    for (const auto& [run, extreme] : extremes) EXPECT_EQ(extreme, std::pair(int64_t{49}, int64_t{-49})) << run;
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(Load, HundredThousandKeys) {
  SKIP_UNLESS_TRACING();
  for (const char* size : {"64k", "64m"}) {
    Outcome outcome = flood(-1, {"-x", fmt::format("aggsize={}", size)},
                            "syscall::getppid:entry /pid == $target/ { @[arg0 % 100000] = count(); }"
                            "tick-10ms { printa(\"%d %@d\\n\", @); clear(@); }"
                            "END { printa(\"%d %@d\\n\", @); }");
    EXPECT_EQ(sum_of_lines(outcome.out) + lost(outcome, "aggregation drop").count, produced()) << size;
  }
}

// An update that arrives after the removal of its element creates the element anew. An update is lost only if its BPF
// program looked the element up just before the removal: fewer than one in a thousand here.
TEST(Load, TruncNeitherLosesNorInventsUpdates) {
  SKIP_UNLESS_TRACING();
  for (const char* operation : {"trunc(@)", "trunc(@, 10)", "clear(@); trunc(@, -10)"}) {
    Outcome outcome = flood(-1, {},
                            fmt::format("syscall::getppid:entry /pid == $target/ {{ @[arg0 % 1000] = count(); }}"
                                        "tick-10ms {{ printa(\"%d %@d\\n\", @); {}; {} }}"
                                        "END {{ printa(\"%d %@d\\n\", @); }}",
                                        operation, std::string_view{operation} == "trunc(@, 10)" ? "clear(@);" : ""));
    EXPECT_LE(sum_of_lines(outcome.out), produced()) << operation;
    EXPECT_GT(sum_of_lines(outcome.out), produced() - produced() / 1000) << operation;
  }
}

TEST(Load, DynamicVariablesAreStoredOrCounted) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      flood(-1, {"-x", "dynvarsize=64k"}, "syscall::getppid:entry /pid == $target/ { seen[arg0] = 1; @ = count(); }");
  Lost drops = lost(outcome, "dynamic variable drop");
  EXPECT_GT(drops.count, 0);
  EXPECT_EQ(sum_of_lines(outcome.out) + drops.count, produced());
}

// Two threads on two CPUs update the same variables a million times each. The sum of the values that n++ returned shows
// whether each was returned once.
TEST(Load, UpdatesOfSharedVariablesAreAtomic) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"-qs", DSCOPE_E2E_DIR "/shared_updates.script", "-c", DSCOPE_TRIGGERS "/flood 2 1000000 -2"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "steps 2000000 -2000000 2000000\n"
            "narrow 33920 128\n"
            "operators 1999999000000 ff fffffffffffffff0 0\n"
            "values 1999999000000 1999999000000\n"
            "elements 2000000 -2000000 6000000 3\n"
            "values of elements 1999999000000\n\n");
}

// Both threads create the same elements at about the same time: one n++ returns 0, the other 1.
TEST(Load, ElementsAreCreatedOnce) {
  SKIP_UNLESS_TRACING();
  // With a dynvarsize below its default, elements are counted.
  for (const char* size : {"8m", "900k"}) {
    Outcome outcome = dscope({"-qn",
                              "BEGIN { a[0] = 0; }"
                              "syscall::getppid:entry /pid == $target/ { @ = sum(a[arg0 % 10000]++); }"
                              "END { printa(\"%@d\\n\", @); }",
                              "-x", fmt::format("dynvarsize={}", size), "-c", DSCOPE_TRIGGERS "/flood 2 10000 -2"});
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out, "10000\n\n") << size;
  }
}

TEST(Load, SpeculationsAreCommittedOrCounted) {
  SKIP_UNLESS_TRACING();
  // All threads share one speculation, committed at the end: its records are printed, all others are counted as drops.
  Outcome outcome = flood(-1, {"-x", "specsize=64k"},
                          "BEGIN { spec = speculation(); }"
                          "syscall::getppid:entry /pid == $target/ { speculate(spec); printf(\"%d 1\\n\", arg0); }"
                          "END { commit(spec); }");
  Lost drops = lost(outcome, "speculative drop");
  EXPECT_GT(drops.count, 0);
  EXPECT_EQ(sum_of_lines(outcome.out) + drops.count, produced());
}

TEST(Load, MemoryIsBounded) {
  SKIP_UNLESS_TRACING();
  flood(-1, {},
        "syscall::getppid:entry /pid == $target/ { @[arg0 % 100000] = count(); printf(\"%d 1\\n\", arg0); }"
        "tick-10ms { clear(@); }");
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);  // the largest child so far
  EXPECT_LT(usage.ru_maxrss, 300L << 10) << "KiB";
}

}  // namespace
}  // namespace dscope::e2e
