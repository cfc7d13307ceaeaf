// Recorded programs in the code cache: they come back as they were, and damaged ones are refused.
#include "driver/record/recorded_program.h"

#include <gtest/gtest.h>

#include "tests/unit/capture/sample_capture.h"

namespace dscope {
namespace {

constexpr uint32_t record_size = 64;

ProgramPlan sample_plan() {
  ProgramPlan plan;
  plan.clauses.push_back({.number = 0, .record_size = record_size});
  plan.probes.resize(2);
  return plan;
}

RecordedProgram sample_program() {
  RecordedProgram program{.start = sample_start(), .layout = {}};
  program.start.info.recordings.clear();
  RecordedClause clause;
  clause.time = {.kind = FieldKind::Integer, .offset = 16, .size = 8};
  clause.execname = {.kind = FieldKind::String, .offset = 24, .size = 16};
  clause.error = Field{.kind = FieldKind::Integer, .offset = 40, .size = 4};
  clause.columns = {{.kind = FieldKind::Integer, .offset = 48, .size = 8}};
  program.layout.clauses.push_back(clause);
  program.layout.probe_of_row = {0, RecordingLayout::not_recorded};
  program.layout.snapshot_clauses = {3};
  return program;
}

TEST(RecordedProgram, ComesBackAsItWas) {
  std::string bytes = pack_recorded_program(sample_program());
  auto read = unpack_recorded_program(bytes, sample_plan());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(read->start.info.recordings.empty());
  EXPECT_EQ(read->layout.probe_of_row, (std::vector<uint32_t>{0, RecordingLayout::not_recorded}));
  EXPECT_EQ(read->layout.clauses.front().error->offset, 40U);
  EXPECT_EQ(pack_recorded_program(*read), bytes);
}

TEST(RecordedProgram, CutBytesAreRefused) {
  std::string bytes = pack_recorded_program(sample_program());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(unpack_recorded_program(std::string_view(bytes).substr(0, size), sample_plan())) << size;
  EXPECT_FALSE(unpack_recorded_program(bytes + "x", sample_plan()));
}

TEST(RecordedProgram, ItsPlanIsChecked) {
  auto is_read = [](const RecordedProgram& program, const ProgramPlan& plan) {
    return unpack_recorded_program(pack_recorded_program(program), plan).has_value();
  };
  ProgramPlan other = sample_plan();
  other.probes.resize(3);
  EXPECT_FALSE(is_read(sample_program(), other));
  RecordedProgram program = sample_program();
  program.layout.clauses.front().clause = 1;
  EXPECT_FALSE(is_read(program, sample_plan()));
  program = sample_program();
  program.layout.clauses.front().columns.front().offset = record_size - 4;
  EXPECT_FALSE(is_read(program, sample_plan()));
  program = sample_program();
  program.layout.probe_of_row[1] = static_cast<uint32_t>(program.start.info.probes.size());
  EXPECT_FALSE(is_read(program, sample_plan()));
}

}  // namespace
}  // namespace dscope
