// Header line, row prefixes, row ends and flow indentation (consumer-and-actions.md 1.3 to 1.7).
#include "output_fixture.h"

namespace dscope::test {
namespace {

TEST_F(OutputTest, DefaultOutputHasOneHeader) {
  CannedClause empty = clause();
  feed(empty);
  feed(empty);
  EXPECT_EQ(output(),
            "CPU     ID                    FUNCTION:NAME\n"
            "  0      1                           :BEGIN \n"
            "  0      1                           :BEGIN \n");
}

TEST_F(OutputTest, LongFunctionOverflowsItsColumn) {
  uint32_t row = add_probe("fbt", "vmlinux", "a_function_with_quite_a_long_name", "entry");
  CannedClause canned = clause(row);
  canned.cpu = 12;
  EXPECT_EQ(print(canned),
            "CPU     ID                    FUNCTION:NAME\n"
            " 12      4 a_function_with_quite_a_long_name:entry \n");
}

TEST_F(OutputTest, NamesOfProbesAreVisible) {
  uint32_t row = add_probe("app1", "evil", "f\033[2J", "a\n  0");
  EXPECT_EQ(print(clause(row)),
            "CPU     ID                    FUNCTION:NAME\n"
            "  0      4                    f^[[2J:a^J  0 \n");
}

TEST_F(OutputTest, NamesFitTheirColumnOnTerminals) {
  settings.fits_columns = true;
  uint32_t row = add_probe("syscall", "vmlinux", "openat", "entry");
  CannedClause begin = clause(), call = clause(row);
  add(begin);
  add(call);
  feed(begin);
  feed(call);
  EXPECT_EQ(output(),
            "CPU     ID FUNCTION:NAME\n"
            "  0      1        :BEGIN \n"
            "  0      4  openat:entry \n");
}

TEST_F(OutputTest, QuietRowPrintsNothing) {
  set(OptionId::Quiet);
  EXPECT_EQ(print(clause()), "");
}

TEST_F(OutputTest, TestModeHasNoCpuAndId) {
  settings.is_testing = true;
  EXPECT_EQ(print(clause()),
            "                   FUNCTION:NAME\n"
            "                          :BEGIN \n");
}

TEST_F(OutputTest, ClauseWithoutRecordPrintsNoRow) { EXPECT_EQ(print(clause(0, false)), ""); }

class FlowTest : public OutputTest {
 protected:
  FlowTest() { set(OptionId::Flowindent); }
  void run(const std::vector<uint32_t>& rows) {
    std::vector<CannedClause> clauses;
    for (uint32_t row : rows) clauses.push_back(clause(row));
    for (CannedClause& canned : clauses) add(canned);
    for (CannedClause& canned : clauses) feed(canned);
  }
  uint32_t read_entry = add_probe("syscall", "vmlinux", "read", "entry");
  uint32_t read_return = add_probe("syscall", "vmlinux", "read", "return");
  uint32_t inner_entry = add_probe("fbt", "vmlinux", "ksys_read", "entry");
  uint32_t inner_return = add_probe("fbt", "vmlinux", "ksys_read", "return");
  uint32_t tick = add_probe("profile", "", "", "tick-1s");
};

TEST_F(FlowTest, EntryAndReturnChangeIndentation) {
  run({read_entry, inner_entry, inner_return, read_return, tick});
  EXPECT_EQ(output(),
            "CPU FUNCTION                                 \n"
            "  0  => read                                  \n"
            "  0    -> ksys_read                           \n"
            "  0    <- ksys_read                           \n"
            "  0  <= read                                  \n"
            "  0 | :tick-1s                                \n");
}

TEST_F(FlowTest, QuietKeepsPrefixButNoRowEnd) {
  set(OptionId::Quiet);
  run({read_entry});
  EXPECT_EQ(output(),
            "CPU FUNCTION                                 \n"
            "  0  => read                                  ");
}

TEST_F(FlowTest, TestModeHasNoCpu) {
  settings.is_testing = true;
  run({read_entry});
  EXPECT_EQ(output(),
            "FUNCTION                                 \n"
            " => read                                  \n");
}

TEST_F(FlowTest, SecondClauseOfAFiringKeepsIndentation) {
  run({inner_entry, inner_entry, inner_return});
  EXPECT_EQ(output(),
            "CPU FUNCTION                                 \n"
            "  0  -> ksys_read                             \n"
            "  0   | ksys_read:entry                       \n"
            "  0  <- ksys_read                             \n");
}

TEST_F(FlowTest, IndentationIsPerCpuAndPass) {
  CannedClause entry = clause(inner_entry), other = clause(inner_entry);
  other.cpu = 1;
  add(entry);
  add(other);
  feed(entry);
  feed(other);
  start_pass();
  feed(entry);
  EXPECT_EQ(output(),
            "CPU FUNCTION                                 \n"
            "  0  -> ksys_read                             \n"
            "  1  -> ksys_read                             \n"
            "  0  -> ksys_read                             \n");
}

TEST_F(FlowTest, LastWordOfProbeNameDecides) {
  uint32_t dashed = add_probe("usdt", "prog", "main", "query-entry");
  uint32_t inside = add_probe("usdt", "prog", "main", "entry-done");
  uint32_t joined = add_probe("usdt", "prog", "main", "reentry");
  run({dashed, inside, joined});
  EXPECT_EQ(output(),
            "CPU FUNCTION                                 \n"
            "  0  -> main                                  \n"
            "  0   | main:entry-done                       \n"
            "  0   | main:reentry                          \n");
}

TEST_F(OutputTest, QuietPrintsFinalNewline) {
  set(OptionId::Quiet);
  EXPECT_EQ(finish(), "\n");
}

TEST_F(OutputTest, InterruptPrintsNewlineOutsideTestMode) {
  consumer().interrupted();
  EXPECT_EQ(output(), "\n");
  restart();
  settings.is_testing = true;
  consumer().interrupted();
  EXPECT_EQ(output(), "");
}

TEST_F(OutputTest, ActionOfAnUntakenBranchIsSkipped) {
  set(OptionId::Quiet);
  CannedClause canned = clause();
  for (bool ran : {false, true}) {
    uint32_t mark = canned.layout.mark(ran);
    canned.action(Action::Trace, {canned.layout.integer(ran ? 1 : 2)});
    canned.plan.actions.back().ran_offset = mark;
  }
  EXPECT_EQ(print(canned), "1");
}

TEST_F(OutputTest, ExitStatusIsTheLastOneConsumed) {
  CannedClause first = clause(), last = clause();
  first.action(Action::Exit, {first.layout.integer(3)});
  last.action(Action::Exit, {last.layout.integer(-1)});
  EXPECT_EQ(consumer().exit_status(), std::nullopt);
  add(first);
  add(last);
  feed(first);
  EXPECT_EQ(consumer().exit_status(), 3);
  feed(last);
  EXPECT_EQ(consumer().exit_status(), 255);
}

TEST_F(OutputTest, DamagedRecordsAreCountedNotRead) {
  set(OptionId::Quiet);
  CannedClause canned = clause();
  canned.action(Action::Trace, {canned.layout.integer(int64_t{7})});
  add(canned);
  std::vector<std::byte> record = canned.layout.bytes();
  consumer().record(std::span{record}.first(8));                         // no header
  consumer().record(std::span{record}.first(sizeof(ds_record_header)));  // no field
  ds_record_header wrong{.clause = 99, .probe_row = 0, .cpu = 0, .speculation = 0};
  std::memcpy(record.data(), &wrong, sizeof wrong);
  consumer().record(record);
  wrong = {.clause = 0, .probe_row = 99, .cpu = 0, .speculation = 0};
  std::memcpy(record.data(), &wrong, sizeof wrong);
  consumer().record(record);
  EXPECT_EQ(finish(), "\n");
  EXPECT_EQ(messages.text(), "dscope: 4 damaged records skipped\n");
}

}  // namespace
}  // namespace dscope::test
