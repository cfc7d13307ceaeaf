// Speculative records: held until commit() or discard(), printed in order or dropped. Late records and reused ids.
#include "output_fixture.h"

namespace dscope::test {
namespace {

class Released final : public SpeculationTable {
 public:
  void release(uint32_t id) override { ids.push_back(id); }
  std::vector<uint32_t> ids;
};

constexpr uint32_t numbered(uint32_t id, uint32_t generation) { return generation << 16 | id; }

class SpeculationTest : public OutputTest {
 protected:
  SpeculationTest() {
    settings.speculations = &released;
    set(OptionId::Quiet);
    canned_ = clause();
    Field value = canned_.layout.integer(int64_t{0});
    canned_.action(Action::Trace, {value});
    offset_ = value.offset;
    add(canned_);
  }
  // A record that prints `value`.
  void record(uint32_t speculation, int64_t value) {
    std::vector<std::byte> bytes = canned_.layout.bytes();
    ds_record_header header{.clause = canned_.plan.number, .probe_row = 0, .cpu = 0, .speculation = speculation};
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + offset_, &value, sizeof value);
    consumer().record(bytes);
  }
  void end(uint32_t clause, uint32_t speculation) {
    ds_record_header header{.clause = clause, .probe_row = 0, .cpu = 0, .speculation = speculation};
    consumer().record(std::as_bytes(std::span{&header, 1}));
  }
  void commit(uint32_t speculation) { end(DS_RECORD_COMMIT, speculation); }
  void discard(uint32_t speculation) { end(DS_RECORD_DISCARD, speculation); }

  Released released;

 private:
  CannedClause canned_;
  uint32_t offset_ = 0;
};

TEST_F(SpeculationTest, RecordsPrintAtTheirCommit) {
  record(numbered(1, 1), 1);
  record(numbered(2, 1), 2);
  record(numbered(1, 1), 3);
  record(0, 4);
  EXPECT_EQ(output(), "4");
  commit(numbered(1, 1));
  EXPECT_EQ(output(), "13");
  EXPECT_EQ(released.ids, std::vector<uint32_t>{1});
  commit(numbered(2, 1));
  EXPECT_EQ(output(), "2");
  EXPECT_EQ(released.ids, (std::vector<uint32_t>{1, 2}));
}

TEST_F(SpeculationTest, LateRecordsFollowTheirSpeculation) {
  record(numbered(1, 1), 1);
  commit(numbered(1, 1));
  record(numbered(1, 1), 2);
  EXPECT_EQ(output(), "12");
  record(numbered(1, 2), 3);
  discard(numbered(1, 2));
  record(numbered(1, 2), 4);
  EXPECT_EQ(output(), "");
}

TEST_F(SpeculationTest, IdsAreReused) {
  record(numbered(1, 1), 1);
  discard(numbered(1, 1));
  record(numbered(1, 2), 2);
  record(numbered(1, 1), 3);
  discard(numbered(1, 1));
  commit(numbered(1, 2));
  EXPECT_EQ(output(), "2");
}

TEST_F(SpeculationTest, NewGenerationDropsUndiscardedRecords) {
  record(numbered(1, 1), 1);
  record(numbered(1, 2), 2);
  commit(numbered(1, 2));
  EXPECT_EQ(output(), "2");
}

TEST_F(SpeculationTest, GenerationsWrap) {
  record(numbered(1, 0xffff), 1);
  discard(numbered(1, 0xffff));
  record(numbered(1, 0), 2);
  commit(numbered(1, 0));
  EXPECT_EQ(output(), "2");
}

TEST_F(SpeculationTest, EmptyAndOpenSpeculationsPrintNothing) {
  commit(numbered(1, 1));
  record(numbered(1, 2), 1);
  EXPECT_EQ(output(), "");
  EXPECT_EQ(finish(), "\n");
  EXPECT_EQ(released.ids, std::vector<uint32_t>{1});
}

}  // namespace
}  // namespace dscope::test
