// The only file that catches exceptions of cereal for recorded programs.
#include "driver/record/recorded_program.h"

#include <algorithm>

#include "archive/binary_archive.h"
#include "archive/plan_fields.h"

namespace dscope {

template <class Archive>
void serialize(Archive& archive, RecordedClause& value) {
  archive(value.clause, value.time, value.pid, value.tid, value.ppid, value.uid, value.gid, value.execname, value.error,
          value.kernel_stack, value.user_stack, value.columns);
}
template <class Archive>
void serialize(Archive& archive, RecordingLayout& value) {
  archive(value.clauses, value.probe_of_row, value.snapshot_clauses);
}

namespace {

bool fits(const RecordedClause& recorded, const ProgramPlan& plan) {
  if (recorded.clause >= plan.clauses.size()) return false;
  uint32_t size = plan.clauses[recorded.clause].record_size;
  auto is_inside = [&](const Field& field) { return field.offset <= size && field.size <= size - field.offset; };
  std::vector<Field> fields = {recorded.time, recorded.pid, recorded.tid,     recorded.ppid,
                               recorded.uid,  recorded.gid, recorded.execname};
  for (const std::optional<Field>& field : {recorded.error, recorded.kernel_stack, recorded.user_stack})
    if (field) fields.push_back(*field);
  return std::ranges::all_of(fields, is_inside) && std::ranges::all_of(recorded.columns, is_inside);
}

bool belongs_to(const RecordedProgram& program, const ProgramPlan& plan) {
  size_t probe_count = program.start.info.probes.size();
  return program.layout.probe_of_row.size() == plan.probes.size() &&
         std::ranges::all_of(program.layout.clauses, [&](const RecordedClause& each) { return fits(each, plan); }) &&
         std::ranges::all_of(program.layout.probe_of_row, [&](uint32_t probe) {
           return probe == RecordingLayout::not_recorded || probe < probe_count;
         });
}

}  // namespace

std::string pack_recorded_program(const RecordedProgram& program) {
  CaptureStart start = program.start;
  start.info.recordings.assign(1, {});  // captures without clocks are damaged
  std::string bytes, content = pack_start(std::move(start));
  ByteOutput archive(bytes);
  archive(content, program.layout);
  return bytes;
}

Result<RecordedProgram> unpack_recorded_program(std::string_view bytes, const ProgramPlan& plan) {
  RecordedProgram program;
  std::string content;
  try {
    ByteInput archive(bytes);
    archive(content, program.layout);
    if (archive.left() != 0) return fail(Error("bytes follow the end of the recording"));
  } catch (const std::exception& problem) {
    return fail(Error(problem.what()));
  }
  DS_TRY(program.start, unpack_start(content));
  program.start.info.recordings.clear();
  if (!belongs_to(program, plan)) return fail(Error("the recording belongs to another program"));
  return program;
}

}  // namespace dscope
