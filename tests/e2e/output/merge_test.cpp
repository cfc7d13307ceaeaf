// --merge with results of real runs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

class MergeRuns : public ::testing::Test {
 protected:
  MergeRuns() { std::filesystem::create_directory(folder_); }
  ~MergeRuns() override { std::filesystem::remove_all(folder_); }

  // Traces dd, which writes `count` blocks of `size` bytes.
  static Outcome trace(const std::string& format, const std::string& count, const std::string& size,
                       const std::string& program) {
    return dscope({"--format=" + format, "-q", "-n", program, "--", "dd", "if=/dev/zero", "of=/dev/null", "status=none",
                   "count=" + count, "bs=" + size});
  }

  std::string keep(const std::string& name, const std::string& text) const {
    std::string path = folder_ / name;
    std::ofstream(path) << text;
    return path;
  }

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("dscope_merge_" + std::to_string(getpid()));
};

const std::string dd_writes = "syscall::write:entry /pid == $target && arg0 == 1/ ";

TEST_F(MergeRuns, SumsOfThreeRunsAreTheSumsOfTheirLoads) {
  SKIP_UNLESS_TRACING();
  const std::string program =
      dd_writes +
      "{ @n[execname] = count(); @s = sum(arg2); @a = avg(arg2); @l = min(arg2); @h = max(arg2); "
      "@q = quantize(arg2); @p = percentile(arg2, 50, 99); }";
  std::vector<std::string> arguments = {"--merge", "--format=csv"};
  for (auto [count, size] : {std::pair{"10", "1"}, {"20", "100"}, {"30", "1000"}}) {
    Outcome outcome = trace("json", count, size, program);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    arguments.push_back(keep(std::string(size) + ".json", outcome.out));
  }
  Outcome merged = dscope(arguments);
  EXPECT_EQ(merged.err, "");
  EXPECT_EQ(merged.status, 0);
  EXPECT_EQ(merged.out,
            "execname,@n\ndd,60\n\n@s\n32010\n\n@a\n533\n\n@l\n1\n\n@h\n1000\n\n"
            "bucket,@q\n0,0\n1,10\n2,0\n4,0\n8,0\n16,0\n32,0\n64,20\n128,0\n256,0\n512,30\n1024,0\n\n"
            "@p.p50,@p.p99\n100,999\n");
}

TEST_F(MergeRuns, OneRunPrintsItsText) {
  SKIP_UNLESS_TRACING();
  const std::string program =
      dd_writes +
      "{ @n[execname, (int)arg0, probefunc] = count(); @d = stddev(arg2); @q[execname] = lquantize(arg2, 0, 10, 2); "
      "@l = llquantize(arg2, 10, 0, 3, 10); @p[(char)arg0] = percentile(arg2, 50, \"99.9\"); normalize(@n, 3); }";
  for (const char* format : {"text", "csv"}) {
    Outcome text = trace(format, "7", "5", program), json = trace("json", "7", "5", program);
    EXPECT_EQ(dscope({"--merge", std::string("--format=") + format, keep("a.json", json.out)}).out, text.out);
  }
}

TEST_F(MergeRuns, NeedsReadableResults) {
  Outcome missing = dscope({"--merge", folder_ / "none"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.out, "");
  EXPECT_EQ(missing.err, "dscope: cannot open " + (folder_ / "none").string() + ": No such file or directory\n");
  Outcome picture = dscope({"--merge", "--format=svg", keep("a", "")});
  EXPECT_EQ(picture.status, 2);
}

TEST_F(MergeRuns, ReadsStandardInput) {
  std::string path = keep("a.json", "web-1: {\"type\":\"exit\",\"timestamp\":1,\"status\":4}\n");
  Outcome merged = run({"sh", "-c", "\"$0\" --merge - < \"$1\"", DSCOPE_PROGRAM, path});
  EXPECT_EQ(merged.status, 4) << merged.err;
  EXPECT_EQ(merged.out, "\n");
}

}  // namespace
}  // namespace dscope::e2e
