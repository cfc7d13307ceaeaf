// JSON output of the real program: it conforms to docs/json-output.schema.json and prints exact values.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

using nlohmann::json;

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

// Together these programs produce every kind of line, item and value.
const char* const programs[] = {
    "BEGIN {} BEGIN { trace(1); trace(\"\\377\\\"x\"); trace(*curthread->cred); trace(curthread->comm); exit(3); }",
    "BEGIN { printf(\"%d %s\\n\", -1, execname); printf(\"plain\"); exit(0); }",
    "BEGIN { stack(); ustack(); exit(0); }",
    "profile-97 { stack(); ustack(); exit(0); }",
    "BEGIN { sym((uintptr_t)&`vfs_read); mod((uintptr_t)&`vfs_read); usym(0); umod(0); uaddr(0); exit(0); }",
    "BEGIN { trace(*(int *)64); } BEGIN { this->x = 0; trace(1 / this->x); } BEGIN { exit(0); }",
    "BEGIN { @a[\"x\", 1] = count(); @b[\"x\", 1] = avg(-3); printa(@a, @b); printa(\"%s %d %@d\\n\", @a); exit(0); }",
    "BEGIN { @ = count(); @n = min(-1); @x = max(1); @s = sum(2); @d = stddev(3); exit(0); }",
    "profile-97 { @q[stack(2), ustack(2)] = quantize(-5); @l = lquantize(3, -2, 2); @m = llquantize(7, 10, 0, 3, 10); "
    "exit(0); }",
    "BEGIN { @k[sym((uintptr_t)&`vfs_read), usym(0), probename, (char)1] = count(); exit(0); }",
    "BEGIN { print((int *)curthread->comm); print(curthread->cred); print((int)7); print(probename); "
    "tracemem(curthread, "
    "5); "
    "exit(0); }",
    "BEGIN { x[1] = 1; x[2] = 1; x[3] = 1; self->y = speculation(); self->z = speculation(); } BEGIN { exit(0); }",
};

TEST(Json, EveryLineConformsToTheSchema) {
  SKIP_UNLESS_TRACING();
  std::string path = testing::TempDir() + "dscope_json_test_" + std::to_string(getpid());
  {
    std::ofstream file(path);
    for (const char* program : programs) {
      Outcome outcome = dscope({"--format=json", "-x", "dynvarsize=64", "-x", "aggpercpu", "-n", program});
      EXPECT_EQ(outcome.err, "") << program;
      file << outcome.out;
    }
  }
  Outcome verdict = run({"python3", DSCOPE_SOURCE_DIR "/tests/support/validate_json.py",
                         DSCOPE_SOURCE_DIR "/docs/json-output.schema.json", path});
  std::filesystem::remove(path);
  if (verdict.status == 77) GTEST_SKIP() << "needs python3-jsonschema";
  EXPECT_EQ(verdict.status, 0) << verdict.out << verdict.err;
}

TEST(Json, DryRunConformsToItsSchema) {
  std::string path = testing::TempDir() + "dscope_dry_run_test_" + std::to_string(getpid());
  {
    std::ofstream file(path);
    for (const char* program :
         {"syscall:::entry /pid != 1/ { @[execname, ustack()] = count(); self->t = timestamp; a[pid] = 1; }",
          "BEGIN { system(\"date\"); } profile-97 { printf(\"%s\", execname); } END { stack(); }",
          "#pragma D option ringcpus=1\nBEGIN { trace(1); }"}) {
      Outcome outcome = dscope({"--dry-run", "--format=json", "-w", "-n", program});
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      EXPECT_EQ(lines_of(outcome.out).size(), 1U) << outcome.out;
      file << outcome.out;
    }
  }
  Outcome verdict = run({"python3", DSCOPE_SOURCE_DIR "/tests/support/validate_json.py",
                         DSCOPE_SOURCE_DIR "/docs/dry-run.schema.json", path});
  std::filesystem::remove(path);
  if (verdict.status == 77) GTEST_SKIP() << "needs python3-jsonschema";
  EXPECT_EQ(verdict.status, 0) << verdict.out << verdict.err;
}

TEST(Json, ValuesAreExact) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"--format=json", "-n",
                            "BEGIN { trace(0x8000000000000000ULL); trace(-9223372036854775807LL - 1); "
                            "printf(\"%x\", 18446744073709551615ULL); exit(3); }"});
  EXPECT_EQ(outcome.status, 3);
  std::vector<json> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 2U) << outcome.out;
  EXPECT_EQ(lines[0]["output"].dump(),
            "[{\"value\":9223372036854775808},{\"value\":-9223372036854775808},"
            "{\"message\":\"ffffffffffffffff\"},{\"value\":18446744073709551615}]");
  EXPECT_EQ(lines[1]["type"], "exit");
  EXPECT_EQ(lines[1]["status"], 3);
}

TEST(Json, ObjectsHaveAllMembers) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"--format=json", "-n",
              "enum kind { FIRST, SECOND = 7 }; struct inner { void *p; }; "
              "struct point { int x; char name[8]; short tail[2]; enum kind k[2]; struct inner in; "
              "union { int u; char v; }; }; "
              "BEGIN { this->q = (struct point *)alloca(sizeof(struct point)); this->q->x = 2; this->q->name[0] = 'h'; "
              "this->q->name[1] = '\\0'; this->q->tail[0] = 3; this->q->tail[1] = 0; this->q->k[0] = SECOND; "
              "this->q->k[1] = (enum kind)3; this->q->in.p = (void *)5; this->q->u = 65; "
              "print(*this->q); tracemem(this->q, 4, 2); exit(0); }"});
  std::vector<json> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 2U) << outcome.out << outcome.err;
  json& output = lines[0]["output"];
  ASSERT_EQ(output.size(), 2U) << outcome.out;
  EXPECT_EQ(output[0]["print"]["type"], "struct point");
  json value = output[0]["print"]["value"];
  EXPECT_EQ(value["x"], 2);
  EXPECT_EQ(value["name"], "h");
  EXPECT_EQ(value["tail"], json({3, 0}));
  EXPECT_EQ(value["k"], json({"SECOND", 3}));
  EXPECT_EQ(value["in"], json({{"p", 5}}));
  EXPECT_EQ(value["u"], 65);
  EXPECT_EQ(value["v"], 65);
  EXPECT_EQ(output[1], json({{"tracemem", {{"bytes", "0200"}}}}));
}

TEST(Json, StreamContainsDropsAndFaults) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"--format=json", "-x", "dynvarsize=64", "-n",
                            "BEGIN { x[1] = 1; x[2] = 1; x[3] = 1; x[4] = 1; x[5] = 1; } BEGIN { trace(*(int *)0); } "
                            "BEGIN { exit(0); }"});
  std::vector<json> lines = lines_of(outcome.out);
  EXPECT_EQ(outcome.err, "");
  auto of_type = [&](const char* type) {
    return std::count_if(lines.begin(), lines.end(), [&](const json& line) { return line["type"] == type; });
  };
  EXPECT_EQ(of_type("fault"), 1);
  EXPECT_EQ(of_type("drop"), 1);
  EXPECT_EQ(lines.back()["type"], "exit");
}

TEST(Json, PlanNamesItsParts) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"--dump=plan", "--format=json", "-n", "syscall::read:entry { @reads[execname] = count(); }"});
  EXPECT_EQ(outcome.err, "");
  json plan = json::parse(outcome.out)["plan"];
  EXPECT_EQ(plan["probes"][0]["function"], "read");
  EXPECT_EQ(plan["aggregations"][0]["name"], "reads");
  EXPECT_EQ(plan["aggregations"][0]["function"], "count");
  EXPECT_EQ(plan["aggregations"][0]["keys"][0]["kind"], "string");
  EXPECT_EQ(plan["programs"][0]["attachments"][0]["hook"], "raw-tracepoint");
}

TEST(Json, DocumentIsCompleteAfterInterrupt) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope_with_signal({"-x", "oformat=json", "-n", "BEGIN { @ = count(); } tick-1ms { trace(1); }"}, "tick", SIGINT);
  json document = json::parse(outcome.out)["dtrace"];
  EXPECT_GE(document["probes"].size(), 1U);
  EXPECT_EQ(document["aggregations"][0]["aggregation-data"][0]["count"], 1);
  EXPECT_EQ(document["exit-status"], 0);
}

}  // namespace
}  // namespace dscope::e2e
