// Compares the counts of hardirqs and softirqs with those of the kernel, which are read before, during and after the
// run: the tool counts at least what happened between two reads during the run, and at most what happened around it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "tests/e2e/tools/tool_runs.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

using Counts = std::map<std::string, uint64_t>;

// Lines of /proc/softirqs and /proc/interrupts: a label with a colon, a number for each CPU, and, in /proc/interrupts,
// the chip, the kind and the names of the handlers.
Counts counts_in(const std::string& text) {
  Counts counts;
  for (const std::string& line : lines_of(text)) {
    std::istringstream words(line);
    std::string label, word;
    uint64_t sum = 0;
    if (!(words >> label) || !label.ends_with(':')) continue;
    bool is_number = true;
    while (words >> word) {
      is_number = is_number && word.find_first_not_of("0123456789") == std::string::npos;
      if (is_number) sum += std::strtoull(word.c_str(), nullptr, 10);
      else counts[word.ends_with(',') ? word.substr(0, word.size() - 1) : word] += sum;
    }
    counts[label.substr(0, label.size() - 1)] += sum;
  }
  return counts;
}

// Rows of the tool: NAME, total, COUNT, longest.
Counts counts_of_rows(const std::string& text) {
  Counts counts;
  for (const std::string& line : lines_of(text)) {
    std::istringstream words(line);
    std::string name;
    uint64_t total = 0, count = 0, longest = 0;
    if (words >> name >> total >> count >> longest) counts[name] = count;
  }
  return counts;
}

void expect_between(const Counts& counted, const Counts outer[2], const Counts inner[2]) {
  for (auto [name, count] : counted) {
    ASSERT_TRUE(outer[1].contains(name)) << name;
    auto grown = [&](const Counts reads[2]) {
      auto before = reads[0].find(name);
      return reads[1].at(name) - (before == reads[0].end() ? 0 : before->second);
    };
    EXPECT_GE(count, grown(inner)) << name;
    EXPECT_LE(count, grown(outer)) << name;
  }
}

void compare(const std::string& tool, const std::string& statistics, const std::string& load) {
  const std::string folder = testing::TempDir() + "dscope_" + tool + std::to_string(::getpid());
  fs::create_directories(folder);
  auto saved = [&](const char* name) { return "cat " + statistics + " > " + folder + "/" + name; };
  Counts outer[2] = {counts_in(text_of(statistics)), {}};
  std::string command = saved("before") + "; " + load + "; " + saved("after");
  Outcome outcome = dscope({"-s", tool_script(tool), "--", "sh", "-c", command});
  outer[1] = counts_in(text_of(statistics));
  Counts inner[2] = {counts_in(text_of(folder + "/before")), counts_in(text_of(folder + "/after"))};
  Counts counted = counts_of_rows(outcome.out);
  EXPECT_FALSE(counted.empty()) << outcome.out << outcome.err;
  expect_between(counted, outer, inner);
  fs::remove_all(folder);
}

TEST(InterruptTools, DevicesHaveTheCountsOfTheKernel) {
  SKIP_UNLESS_TRACING();
  std::string file = std::string(DSCOPE_TRIGGERS) + "/hardirqs.written";
  compare("hardirqs", "/proc/interrupts", std::string(DSCOPE_TRIGGERS) + "/tasks direct " + file + "; rm " + file);
}

TEST(InterruptTools, SoftInterruptsHaveTheCountsOfTheKernel) {
  SKIP_UNLESS_TRACING();
  compare("softirqs", "/proc/softirqs", std::string(DSCOPE_TRIGGERS) + "/calls spin 100");
}

}  // namespace
}  // namespace dscope::e2e
