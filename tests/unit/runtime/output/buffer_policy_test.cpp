// Rows that wait for the end of the run: bufpolicy fill and ring (consumer-and-actions.md 2.4).
#include "output_fixture.h"

namespace dscope::test {
namespace {

class BufferPolicyTest : public OutputTest {
 protected:
  BufferPolicyTest() {
    set(OptionId::Quiet);
    canned_ = clause();
    value_ = canned_.layout.integer(int64_t{0});
    canned_.action(Action::Trace, {value_});
  }
  void choose(const char* policy, int64_t rows_per_cpu) {
    ASSERT_TRUE(plan.options.set("bufpolicy", policy, true, OptionOrigin::CommandLine));
    set(OptionId::Bufsize, rows_per_cpu * static_cast<int64_t>(canned_.layout.bytes().size() + DS_RECORD_OVERHEAD));
    add(canned_);
  }
  void record(uint32_t cpu, int64_t value, uint32_t speculation = 0) {
    std::vector<std::byte> bytes = canned_.layout.bytes();
    ds_record_header header{.clause = 0, .probe_row = 0, .cpu = cpu, .speculation = speculation};
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + value_.offset, &value, sizeof value);
    consumer().record(bytes);
  }

  CannedClause canned_;
  Field value_;
};

TEST_F(BufferPolicyTest, SwitchPrintsAtOnce) {
  choose("switch", 1);
  record(0, 1);
  record(0, 2);
  EXPECT_EQ(output(), "12");
  EXPECT_EQ(finish(), "\n");
}

TEST_F(BufferPolicyTest, FillPrintsEverythingAtTheEnd) {
  choose("fill", 2);  // the BPF side enforces the limit: records that arrive here fitted, or are END's
  for (int i = 1; i <= 4; ++i) record(0, i);
  EXPECT_EQ(output(), "");
  EXPECT_EQ(finish(), "1234\n");
}

TEST_F(BufferPolicyTest, RingKeepsTheNewestRowsOfEachCpu) {
  choose("ring", 2);
  record(1, 7);
  for (int i = 1; i <= 4; ++i) record(0, i);
  record(1, 8);
  EXPECT_EQ(output(), "");
  EXPECT_EQ(finish(), "7348\n");
}

TEST_F(BufferPolicyTest, CommittedRowsAreOrderedByCommit) {
  choose("ring", 3);
  constexpr uint32_t speculation = 1U << 16 | 1;
  record(0, 1, speculation);
  record(0, 2);
  ds_record_header commit{.clause = DS_RECORD_COMMIT, .probe_row = 0, .cpu = 0, .speculation = speculation};
  consumer().record(std::as_bytes(std::span{&commit, 1}));
  EXPECT_EQ(finish(), "21\n");
}

TEST_F(BufferPolicyTest, ExitStatusComesFromKeptRows) {
  CannedClause ending = clause();
  Field status = ending.layout.integer(int32_t{5});
  ending.action(Action::Exit, {status});
  ASSERT_TRUE(plan.options.set("bufpolicy", "ring", true, OptionOrigin::CommandLine));
  feed(ending);
  finish();
  EXPECT_EQ(consumer().exit_status(), 5);
}

TEST_F(BufferPolicyTest, SecondInterruptPrintsNothing) {
  choose("ring", 2);
  record(0, 1);
  EXPECT_EQ(finish(/*print_aggregations=*/false), "\n");
}

}  // namespace
}  // namespace dscope::test
