// Faults and drops on the message stream (consumer-and-actions.md 2.5, 2.6).
#include "output_fixture.h"
#include "runtime/output/drop_advice.h"
#include "runtime/output/fault_tally.h"

namespace dscope::test {
namespace {

class ReportTest : public OutputTest {
 protected:
  std::string fault(uint32_t code, uint64_t value, uint32_t site = 56) {
    ds_fault_record record{.header = {.clause = DS_RECORD_FAULT, .probe_row = 0, .cpu = 0, .speculation = 0},
                           .clause = 2,
                           .code = code,
                           .value = value,
                           .site = site,
                           .reserved = 0};
    consumer().record(std::as_bytes(std::span{&record, 1}));
    EXPECT_EQ(output(), "");
    return messages.take();
  }
  std::string fault_end(uint32_t code, uint64_t value) {
    const std::string prefix = "dscope: error in dt_clause_2 for probe ID 1 (dtrace:::BEGIN): ";
    std::string text = fault(code, value);
    EXPECT_EQ(text.substr(0, prefix.size()), prefix);
    return text.substr(prefix.size());
  }
};

TEST_F(ReportTest, NamesEveryFault) {
  EXPECT_EQ(fault_end(DS_FAULT_UNKNOWN, 1), "unknown fault at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_BADADDR, 0x40), "invalid address (0x40) at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_BADADDR, ~uint64_t{0}), "invalid address at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_BADALIGN, 3), "invalid alignment (0x3) at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_ILLOP, 1), "illegal operation at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_DIVZERO, 0), "divide-by-zero at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_NOSCRATCH, 0), "out of scratch space at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_KPRIV, 0), "invalid kernel access at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_UPRIV, 0), "invalid user access at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_TUPOFLOW, 0), "tuple stack overflow at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_BADSTACK, 16), "bad stack (0x10) at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_BADSIZE, 256), "invalid size (0x100) at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_BADINDEX, ~uint64_t{0}), "index out of bounds (-1) at BPF pc 57\n");
}

TEST_F(ReportTest, UnknownSitePrintsNoPc) {
  EXPECT_EQ(fault(DS_FAULT_DIVZERO, 0, ~0u),
            "dscope: error in dt_clause_2 for probe ID 1 (dtrace:::BEGIN): divide-by-zero\n");
}

TEST_F(ReportTest, FaultShowsSourceLineOnTerminals) {
  settings.show_fault_lines = true;
  settings.program_name = "dtrace";
  plan.fault_sites.push_back({.unit = "script.d", .line = 3, .column = 8, .text = "\ttrace(*(int *)64);"});
  EXPECT_EQ(fault(DS_FAULT_BADADDR, 64, 0),
            "dtrace: error in dt_clause_2 for probe ID 1 (dtrace:::BEGIN): invalid address (0x40) at BPF pc 1\n"
            "  at script.d:3:8\n"
            "    3 | \ttrace(*(int *)64);\n"
            "      | \t      ^\n");
}

TEST_F(ReportTest, PeopleGetTheFirstFaultInFullThenACount) {
  settings.terminal = Terminal{.width = 80};
  plan.fault_sites.push_back({.unit = "script.d", .line = 3, .column = 8, .text = "\ttrace(*(int *)64);"});
  const std::string first =
      "dscope: fault in dtrace:::BEGIN: invalid address (0x40)\n"
      "  at script.d:3:8\n"
      "    3 |         trace(*(int *)64);\n"
      "      |               ^\n";
  EXPECT_EQ(fault(DS_FAULT_BADADDR, 64, 0), first);
  EXPECT_EQ(fault(DS_FAULT_BADADDR, 128, 0), "");
  EXPECT_EQ(fault(DS_FAULT_BADADDR, 64, 0), "");
  EXPECT_EQ(fault(DS_FAULT_DIVZERO, 0, ~0u), "dscope: fault in dtrace:::BEGIN: divide-by-zero\n");
  EXPECT_EQ(fault(DS_FAULT_DIVZERO, 0, ~0u), "");
  finish();
  EXPECT_EQ(messages.take(),
            "dscope: 2 more faults in 0.0 s: invalid address at script.d:3:8\n"
            "dscope: 1 more fault in 0.0 s: divide-by-zero in dtrace:::BEGIN\n");
}

TEST_F(ReportTest, RepeatedFaultsAreCountedOnceASecond) {
  using std::chrono::milliseconds;
  plan.fault_sites.push_back({.unit = "script.d", .line = 3, .column = 8, .text = ""});
  FaultTally tally{plan, "dscope", Terminal{}};
  FaultTally::Clock::time_point start{std::chrono::hours{1}};
  ds_fault_record record{.clause = 2, .code = DS_FAULT_DIVZERO};
  EXPECT_EQ(tally.add(record, start), "dscope: fault in dtrace:::BEGIN: divide-by-zero\n  at script.d:3:8\n");
  EXPECT_EQ(tally.due(start + milliseconds{5000}), "");
  for (int i = 0; i < 4512; ++i) EXPECT_EQ(tally.add(record, start + milliseconds{6000}), "");
  EXPECT_EQ(tally.due(start + milliseconds{6999}), "");
  EXPECT_EQ(tally.due(start + milliseconds{7000}),
            "dscope: 4512 more faults in 1.0 s: divide-by-zero at script.d:3:8\n");
  EXPECT_EQ(tally.due(start + milliseconds{9000}), "");
  EXPECT_EQ(tally.rest(start + milliseconds{9000}), "");
}

// The name of a program on the command line is its text.
TEST_F(ReportTest, FaultsOfOneLinersDoNotRepeatTheProgram) {
  settings.terminal = Terminal{.width = 40};
  std::string program = "BEGIN { trace(*(int *)64); trace(\"a long text, wider than it\"); }";
  plan.fault_sites.push_back({.unit = program, .line = 1, .column = 15, .text = program});
  EXPECT_EQ(fault(DS_FAULT_BADADDR, 64, 0),
            "dscope: fault in dtrace:::BEGIN: invalid address (0x40)\n"
            "    1 | ...{ trace(*(int *)64); trace...\n"
            "      |            ^\n");
  fault(DS_FAULT_BADADDR, 64, 0);
  finish();
  EXPECT_EQ(messages.take(), "dscope: 1 more fault in 0.0 s: invalid address at 1:15\n");
}

TEST_F(ReportTest, HintsAtUserAddressesReadAsKernelOnes) {
  settings.terminal = Terminal{.width = 80};
  PlanPosition kernel{.unit = "a.d", .line = 1, .column = 1, .text = "stringof((char *)arg1);", .reads_kernel = true};
  PlanPosition user = kernel;
  user.reads_kernel = false;
  PlanPosition other = kernel;
  other.text = "*(int *)arg1";
  plan.fault_sites = {kernel, user, kernel, other};
  auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(fault(DS_FAULT_BADADDR, 0x7fff00001000, 0), "use copyinstr((char *)arg1)\n"));
  EXPECT_FALSE(has(fault(DS_FAULT_BADADDR, 0x7fff00001000, 1), "hint"));
  EXPECT_FALSE(has(fault(DS_FAULT_BADADDR, 0x10, 2), "hint"));
  EXPECT_TRUE(has(fault(DS_FAULT_BADADDR, 0x7fff00001000, 3), "use copyinstr() or copyin()\n"));
}

TEST_F(ReportTest, FaultsOfLargeCopiesNameScratchsize) {
  set(OptionId::Scratchsize, 256);
  settings.terminal = Terminal{.width = 80};
  EXPECT_EQ(fault(DS_FAULT_BADSIZE, 2000, ~0u),
            "dscope: fault in dtrace:::BEGIN: invalid size (0x7d0)\n"
            "      = hint: copies of this size need -x scratchsize=2048\n");
  // Not a size that any scratchsize allows.
  EXPECT_EQ(fault(DS_FAULT_BADSIZE, ~uint64_t{0}, 7).find("hint"), std::string::npos);
  // An access across the end of a block.
  EXPECT_EQ(fault(DS_FAULT_BADSIZE, 8, 8).find("hint"), std::string::npos);
}

TEST_F(ReportTest, RunsWithFaultsOfLargeCopiesEndWithAHint) {
  set(OptionId::Scratchsize, 256);
  settings.shows_hints = true;
  EXPECT_EQ(fault_end(DS_FAULT_BADSIZE, 2000), "invalid size (0x7d0) at BPF pc 57\n");
  EXPECT_EQ(fault_end(DS_FAULT_BADSIZE, 300), "invalid size (0x12c) at BPF pc 57\n");
  finish();
  EXPECT_EQ(messages.take(), "dscope: hint: the copies that faulted need -x scratchsize=2048\n");
}

TEST_F(ReportTest, ReportsFailedSpeculations) {
  DropCounters totals(2);
  totals[0].speculation_drops = 1;
  totals[0].speculations_busy = 1;
  totals[1].speculations_unavailable = 1;
  consumer().report_drops(totals);
  EXPECT_EQ(messages.take(),
            "dscope: 1 speculative drop\n"
            "dscope: 1 failed speculation (available buffer(s) still busy)\n"
            "dscope: 1 failed speculation (no speculative buffer available)\n");
  for (ds_counters& cpu : totals) {
    cpu.speculation_drops += 2;
    cpu.speculations_busy += 1;
    cpu.speculations_unavailable += 3;
  }
  consumer().report_drops(totals);
  EXPECT_EQ(messages.take(),
            "dscope: 4 speculative drops\n"
            "dscope: 2 failed speculations (available buffer(s) still busy)\n"
            "dscope: 6 failed speculations (no speculative buffer available)\n");
}

TEST_F(ReportTest, DropsAreReportedAsTheyGrow) {
  DropCounters totals(2);
  consumer().report_drops(totals);
  EXPECT_EQ(messages.take(), "");
  totals[0].record_drops = 1;
  totals[1] = {.record_drops = 3,
               .aggregation_drops = 1,
               .dynamic_drops = 2,
               .scratch_drops = 4,
               .double_faults = 1,
               .fault_drops = 5,
               .speculation_drops = 0,
               .speculations_busy = 0,
               .speculations_unavailable = 0};
  consumer().report_drops(totals);
  EXPECT_EQ(messages.take(),
            "dscope: 1 drop on CPU 0\n"
            "dscope: 12 drops on CPU 1\n"
            "dscope: 1 aggregation drop on CPU 1\n"
            "dscope: 2 dynamic variable drops\n"
            "dscope: 1 error in ERROR probe enabling\n");
  consumer().report_drops(totals);
  EXPECT_EQ(messages.take(), "");
  totals[1].aggregation_drops += 2;
  totals[0].dynamic_drops += 1;
  totals[0].double_faults += 2;
  consumer().report_drops(totals);
  EXPECT_EQ(messages.take(),
            "dscope: 2 aggregation drops on CPU 1\n"
            "dscope: 1 dynamic variable drop\n"
            "dscope: 2 errors in ERROR probe enabling\n");
}

TEST_F(ReportTest, DropsEndWithTheSizeThatWouldHaveHeldThem) {
  settings.shows_hints = true;
  set(OptionId::Bufsize, 4 << 20);
  set(OptionId::Aggsize, 65536);
  CannedClause row = clause();
  row.action(Action::Trace, {row.layout.integer(int64_t{7})});
  add(row);
  for (int i = 0; i < 100; ++i) feed(row);
  output();
  DropCounters totals(2);
  totals[0].record_drops = 400'000;
  totals[1].aggregation_drops = 3;
  consumer().report_drops(totals);
  EXPECT_EQ(messages.take(), "dscope: 400000 drops on CPU 0\ndscope: 3 aggregation drops on CPU 1\n");
  finish();
  // The lost records have 12.2 MiB, 6.1 MiB for each CPU beside the 4 MiB of its buffer.
  EXPECT_EQ(messages.take(),
            "dscope: hint: -b 16m would have held the dropped records\n"
            "dscope: hint: -x aggsize=128k would have held the dropped keys\n");
}

TEST_F(ReportTest, DropsOfSmallBuffersNameTheDefaultSize) {
  settings.shows_hints = true;
  set(OptionId::Bufsize, 4096);
  DropCounters totals(1);
  totals[0].record_drops = 1;
  consumer().report_drops(totals);
  messages.take();
  finish();
  EXPECT_EQ(messages.take(), "dscope: hint: -b 4m or more holds more records, without padding in strings\n");
}

TEST_F(ReportTest, DropsBeyondAnyBufferAdviseAggregations) {
  settings.shows_hints = true;
  set(OptionId::Bufsize, 4 << 20);
  CannedClause row = clause();
  row.action(Action::Trace, {row.layout.integer(int64_t{7})});
  add(row);
  DropCounters totals(1);
  totals[0].record_drops = 100'000'000;
  consumer().report_drops(totals);
  messages.take();
  finish();
  EXPECT_EQ(messages.take(),
            "dscope: hint: no buffer would have held the dropped records: trace fewer events, or count them with "
            "aggregations\n");
}

// The hint after `count` drops of one kind on a machine with 2 CPUs.
std::string drop_hint(const ProgramPlan& plan, const char* tag, uint64_t count,
                      std::span<const std::byte> record = {}) {
  DropAdvice advice(plan, plan.options);
  if (!record.empty()) advice.count_record(record);
  advice.add({{.tag = tag, .count = count / 2, .total = 0, .cpu = {}, .text = ""}}, 2);
  advice.add({{.tag = tag, .count = count - count / 2, .total = 0, .cpu = {}, .text = ""}}, 2);
  std::vector<std::string> hints = advice.hints();
  EXPECT_EQ(hints.size(), 1U);
  return hints.empty() ? "" : hints[0];
}

ProgramPlan plan_of_aggregation(uint64_t aggsize, uint32_t elements, bool is_cpu_in_key) {
  ProgramPlan plan;
  plan.options.set_number(OptionId::Aggsize, static_cast<int64_t>(aggsize));
  plan.aggregations.push_back({.name = "_",
                               .key_size = 8,
                               .is_cpu_in_key = is_cpu_in_key,
                               .value_size = 8,
                               .element_size = 16,
                               .map = "ds_agg_0"});
  plan.maps.push_back({.name = "ds_agg_0",
                       .kind = is_cpu_in_key ? MapKind::Hash : MapKind::PerCpuHash,
                       .key_size = is_cpu_in_key ? 16U : 8U,
                       .value_size = 8,
                       .max_entries = elements});
  return plan;
}

TEST(DropAdvice, AggregationHintsHoldAnElementForEachDrop) {
  // 1024 elements and 79,415 drops of 16 bytes: 1.2 MiB.
  EXPECT_EQ(drop_hint(plan_of_aggregation(16 << 10, 1024, false), "DTRACEDROP_AGGREGATION", 79'415),
            "-x aggsize=2m would have held the dropped keys");
  // The CPUs share the 2048 elements of this map.
  EXPECT_EQ(drop_hint(plan_of_aggregation(16 << 10, 2048, true), "DTRACEDROP_AGGREGATION", 79'415),
            "-x aggsize=1m would have held the dropped keys");
  EXPECT_EQ(drop_hint(plan_of_aggregation(16 << 10, 1024, false), "DTRACEDROP_AGGREGATION", 1),
            "-x aggsize=32k would have held the dropped keys");
}

TEST(DropAdvice, AggregationHintsEndAtTheLimit) {
  EXPECT_EQ(drop_hint(plan_of_aggregation(16 << 10, 2048, true), "DTRACEDROP_AGGREGATION", 1'000'000'000),
            "-x aggsize=32m holds the most keys that are possible; use fewer keys if drops remain");
}

TEST(DropAdvice, VariableHintsHoldAVariableForEachDrop) {
  ProgramPlan plan;
  plan.options.set_number(OptionId::Dynvarsize, 64 << 10);
  plan.dynamic_capacity = 2048;
  plan.maps.push_back({.name = "ds_array_0",
                       .kind = MapKind::Hash,
                       .key_size = 8,
                       .value_size = 8,
                       .max_entries = 2048,
                       .size_option = OptionId::Dynvarsize});
  EXPECT_EQ(drop_hint(plan, "DTRACEDROP_DYNAMIC", 100'000),
            "-x dynvarsize=4m would have held the dropped variables; or assign 0 to variables that are no longer "
            "needed");
  EXPECT_EQ(drop_hint(plan, "DTRACEDROP_DYNAMIC", 2'000'000),
            "no dynvarsize holds that many variables: assign 0 to variables that are no longer needed");
}

TEST(DropAdvice, ThreadLocalVariablesAreLimitedByMemoryOnly) {
  ProgramPlan plan;
  plan.options.set_number(OptionId::Dynvarsize, row(OptionId::Dynvarsize).default_value);
  plan.dynamic_capacity = 2048;
  EXPECT_EQ(drop_hint(plan, "DTRACEDROP_DYNAMIC", 5), "assign 0 to variables that are no longer needed");
}

TEST(DropAdvice, SpeculationHintsHoldTheDroppedRecords) {
  ProgramPlan plan;
  plan.options.set_number(OptionId::Specsize, 64 << 10);
  EXPECT_EQ(drop_hint(plan, "DTRACEDROP_SPEC", 100'000),
            "the size of the dropped speculative records is unknown; try -x specsize=128k");
  plan.clauses.resize(2);
  plan.clauses[0].actions.push_back({.action = Action::Trace, .counted_end = 24});
  plan.clauses[1].actions.push_back({.action = Action::Trace, .counted_end = 272});
  // Nothing fitted: the largest record of the program.
  EXPECT_EQ(drop_hint(plan, "DTRACEDROP_SPEC", 100'000), "-x specsize=32m would have held the dropped records");
  ds_record_header header{.clause = 0, .probe_row = 0, .cpu = 0, .speculation = 1};
  EXPECT_EQ(drop_hint(plan, "DTRACEDROP_SPEC", 100'000, std::as_bytes(std::span{&header, 1})),
            "-x specsize=4m would have held the dropped records");
}

TEST_F(ReportTest, DropsHaveTags) {
  set(OptionId::Droptags);
  settings.program_name = "dtrace";
  DropCounters totals(1);
  totals[0] = {.record_drops = 1,
               .aggregation_drops = 1,
               .dynamic_drops = 1,
               .scratch_drops = 0,
               .double_faults = 1,
               .fault_drops = 0};
  consumer().report_drops(totals);
  EXPECT_EQ(messages.take(),
            "dtrace: [DTRACEDROP_PRINCIPAL] 1 drop on CPU 0\n"
            "dtrace: [DTRACEDROP_AGGREGATION] 1 aggregation drop on CPU 0\n"
            "dtrace: [DTRACEDROP_DYNAMIC] 1 dynamic variable drop\n"
            "dtrace: [DTRACEDROP_DBLERROR] 1 error in ERROR probe enabling\n");
}

}  // namespace
}  // namespace dscope::test
