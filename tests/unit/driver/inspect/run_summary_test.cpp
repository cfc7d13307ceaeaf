// The summary of --dry-run: what it finds in compiled programs, and how it prints.
#include "driver/inspect/run_summary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

// Compiles a program for the machine of FakeHost.
RunSummary summary_of(const std::string& text, bool is_destructive = false) {
  FakeHost host;
  Compilation compilation;
  CommandLine line{.program_name = "dscope", .invoked_as = "dscope"};
  line.programs.push_back({.letter = 'n', .text = text});
  OptionValues options;
  EXPECT_TRUE(options.set("nolibs", "", false, OptionOrigin::CommandLine).has_value());
  if (is_destructive) {
    EXPECT_TRUE(options.set("destructive", "", false, OptionOrigin::CommandLine).has_value());
  }
  EXPECT_TRUE(compile(compilation, line, options, host, 0).has_value());
  EXPECT_FALSE(compilation.diagnostics.has_errors());
  auto code = Compiler().generate(compilation, CodeForm::Fast);
  EXPECT_TRUE(code.has_value());
  auto summary = summarize(compilation, *code, host.facts());
  EXPECT_TRUE(summary.has_value());
  return summary ? *summary : RunSummary{};
}

const MapSummary* find_map(const RunSummary& summary, std::string_view content) {
  auto found = std::ranges::find(summary.maps, content, &MapSummary::content);
  return found == summary.maps.end() ? nullptr : &*found;
}

TEST(RunSummary, ListsProbesByProviderAndMechanism) {
  RunSummary summary = summary_of("syscall::read:entry, syscall::write:entry { @[execname] = count(); } BEGIN {}");
  ASSERT_EQ(summary.probes.size(), 2U);
  EXPECT_EQ(summary.probes[0].provider, "syscall");
  EXPECT_EQ(summary.probes[0].mechanism, "raw tracepoint");
  EXPECT_EQ(summary.probes[0].target, "sys_enter");
  EXPECT_EQ(summary.probes[0].probes, 2U);
  EXPECT_EQ(summary.probes[0].attachments, 1U);
  EXPECT_EQ(summary.probes[0].event_ns, 80U);
  EXPECT_EQ(summary.probes[1].provider, "dtrace");
  EXPECT_EQ(summary.probes[1].mechanism, "test run");
}

TEST(RunSummary, EstimatesPrograms) {
  RunSummary summary = summary_of("syscall::read:entry /pid != 1/ { @[execname] = count(); }");
  ASSERT_EQ(summary.programs.size(), 1U);
  const ProgramSummary& program = summary.programs[0];
  EXPECT_EQ(program.name, "syscall:vmlinux:read:entry");
  EXPECT_GT(program.instructions, 20U);
  EXPECT_GT(program.stack_bytes, 16U);
  for (const char* helper : {"get_current_task_btf", "map_lookup_elem", "map_update_elem", "get_current_pid_tgid"})
    EXPECT_EQ(std::ranges::count(program.helpers, helper), 1) << helper;
  // A matching call was measured at 63 to 67 ns in the program (kernel-facts.md G).
  EXPECT_GT(program.max_ns, 60);
  EXPECT_LT(program.max_ns, 130);
  EXPECT_LT(program.min_ns, 15);
}

TEST(RunSummary, NamesMapsAfterTheirContents) {
  RunSummary summary =
      summary_of("syscall::read:entry { self->start = timestamp; @reads[execname] = count(); seen[pid] = 1; }");
  const MapSummary* reads = find_map(summary, "aggregation @reads");
  ASSERT_NE(reads, nullptr);
  EXPECT_EQ(reads->kind, "hash");
  EXPECT_GE(reads->bytes, uint64_t{reads->entries} * (48 + reads->key_size + reads->value_size));
  EXPECT_NE(find_map(summary, "seen[]"), nullptr);
  ASSERT_NE(find_map(summary, "thread-local variables"), nullptr);
  EXPECT_TRUE(find_map(summary, "thread-local variables")->is_per_thread);
  ASSERT_NE(find_map(summary, "drops"), nullptr);
  EXPECT_EQ(find_map(summary, "drops")->bytes, find_map(summary, "drops")->bytes_per_cpu * summary.cpus);
  EXPECT_GE(summary.map_bytes(), reads->bytes);
}

TEST(RunSummary, ListsDestructiveCallsAndPrivileges) {
  RunSummary harmless = summary_of("BEGIN { exit(0); }");
  EXPECT_TRUE(harmless.destructive.empty());
  EXPECT_EQ(harmless.privileges.size(), 1U);

  RunSummary summary = summary_of(
      "BEGIN {}\nsyscall::read:entry { system(\"date\"); stack(); ustack();\ncopyout(\"x\", arg1, 1); }", true);
  ASSERT_EQ(summary.destructive.size(), 2U);
  EXPECT_EQ(summary.destructive[0].name, "system");
  EXPECT_EQ(summary.destructive[0].line, 2U);
  EXPECT_EQ(summary.destructive[1].name, "copyout");
  EXPECT_EQ(summary.destructive[1].line, 3U);
  ASSERT_EQ(summary.privileges.size(), 4U);
  EXPECT_TRUE(summary.privileges[1].starts_with("CAP_SYS_ADMIN"));
  EXPECT_TRUE(summary.privileges[2].starts_with("CAP_SYSLOG"));
  EXPECT_TRUE(summary.privileges[3].starts_with("CAP_SYS_PTRACE"));
}

RunSummary example() {
  return {
      .kernel_release = "6.18.0-fake",
      .cpus = 2,
      .probes = {{"syscall", "raw tracepoint", "sys_enter", 2, 1, 80}, {"fbt", "kprobe.multi", "", 1200, 3, {}}},
      .programs = {{.name = "syscall:vmlinux:read:entry",
                    .mechanism = "raw tracepoint",
                    .probes = 2,
                    .instructions = 75,
                    .stack_bytes = 96,
                    .verifier_instructions = 81,
                    .helpers = {"map_lookup_elem", "map_update_elem", "get_smp_processor_id", "get_current_comm"},
                    .min_ns = 4.4,
                    .max_ns = 123.4,
                    .event_ns = 80},
                   {.name = "fbt:vmlinux:vfs_read:entry",
                    .mechanism = "kprobe.multi",
                    .probes = 1200,
                    .instructions = 1,
                    .verifier_instructions = 1,
                    .min_ns = 1840,
                    .max_ns = 3680,
                    .has_loops = true}},
      .maps = {{.name = "ds_agg_0", .content = "aggregation @", .kind = "hash", .entries = 131072, .bytes = 13631488},
               {.name = "ds_counters", .content = "drops", .kind = "per-CPU array", .bytes = 192, .bytes_per_cpu = 96},
               {.name = "ds_task",
                .content = "thread-local variables",
                .kind = "task storage",
                .bytes = 16,
                .is_per_thread = true}},
      .privileges = {"CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN: load and attach programs"},
      .destructive = {{"x.d", 3, "system"}}};
}

TEST(RunSummaryGolden, TextFitsTheTerminal) {
  for (size_t width : {80U, 120U}) {
    std::string text = summary_text(example(), width);
    expect_golden(fs::path(DSCOPE_GOLDEN_DIR) / "summary" / fmt::format("columns_{}.txt", width), text);
    for (size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1)
      EXPECT_LE(end - at, width) << text.substr(at, end - at);
  }
}

TEST(RunSummary, ListsTheCallsOfEachOfFewPrograms) {
  std::string text = summary_text(example(), 120);
  EXPECT_NE(text.find("  syscall:vmlinux:read:entry +1"), text.npos);
  EXPECT_NE(text.find("\n    calls     map_lookup_elem"), text.npos) << text;
  EXPECT_EQ(text.find("all programs"), text.npos) << text;
}

// An indented block below the last row would read as the calls of the last program.
TEST(RunSummary, ListsTheCallsOfManyProgramsInASectionOfTheirOwn) {
  RunSummary summary = example();
  for (const char* name : {"dtrace:::BEGIN", "dtrace:::END"})
    summary.programs.push_back({.name = name, .mechanism = "test run", .probes = 1, .helpers = {"ktime_get_ns"}});
  std::string text = summary_text(summary, 120);
  EXPECT_NE(text.find("\ncalls         all programs: map_lookup_elem, map_update_elem, get_smp_processor_id, "
                      "get_current_comm, ktime_get_ns\nmaps "),
            text.npos)
      << text;
  EXPECT_EQ(text.find("    calls"), text.npos) << text;
}

TEST(RunSummaryGolden, JsonIsOneLine) {
  expect_golden(fs::path(DSCOPE_GOLDEN_DIR) / "summary" / "example.json", summary_json(example()));
}

}  // namespace
}  // namespace dscope
