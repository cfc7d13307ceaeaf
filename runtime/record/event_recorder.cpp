#include "runtime/record/event_recorder.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "runtime/format/value.h"

namespace dscope {

EventRecorder::EventRecorder(const RecordingLayout& layout, const ProgramPlan& plan, CaptureWriter& writer,
                             Symbolizer& symbols)
    : layout_(layout), writer_(writer), names_(symbols, writer), clause_of_(plan.clauses.size(), no_clause) {
  for (const ClausePlan& clause : plan.clauses) record_size_.push_back(clause.record_size);
  for (uint32_t i = 0; i < layout.clauses.size(); ++i) clause_of_[layout.clauses[i].clause] = i;
}

bool EventRecorder::record(std::span<const std::byte> bytes) {
  ds_record_header header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.clause >= clause_of_.size() || clause_of_[header.clause] == no_clause) return false;
  bool is_complete = bytes.size() >= record_size_[header.clause] && header.probe_row < layout_.probe_of_row.size();
  uint32_t probe = is_complete ? layout_.probe_of_row[header.probe_row] : RecordingLayout::not_recorded;
  if (probe == RecordingLayout::not_recorded) return false;
  const RecordedClause& clause = layout_.clauses[clause_of_[header.clause]];
  const std::byte* record = bytes.data();
  RecordedEvent event{.time = static_cast<uint64_t>(load_integer(clause.time, record)),
                      .probe = probe,
                      .cpu = header.cpu,
                      .thread = intern_thread(clause, record)};
  if (clause.error) event.error = static_cast<int32_t>(load_integer(*clause.error, record));
  if (clause.kernel_stack) event.kernel_stack = intern_kernel_stack(*clause.kernel_stack, record);
  if (clause.user_stack) event.user_stack = intern_user_stack(*clause.user_stack, record);
  values_.clear();
  for (const Field& field : clause.columns) values_.push_back(column_value(field, record));
  event.values = values_;
  writer_.add(event);
  return true;
}

uint32_t EventRecorder::intern_thread(const RecordedClause& clause, const std::byte* record) {
  ThreadKey key{.pid = static_cast<uint32_t>(load_integer(clause.pid, record)),
                .tid = static_cast<uint32_t>(load_integer(clause.tid, record)),
                .ppid = static_cast<uint32_t>(load_integer(clause.ppid, record)),
                .uid = static_cast<uint32_t>(load_integer(clause.uid, record)),
                .gid = static_cast<uint32_t>(load_integer(clause.gid, record)),
                .name = {}};
  std::memcpy(key.name.data(), record + clause.execname.offset,
              std::min<size_t>(key.name.size() - 1, clause.execname.size));
  KnownThread& known = known_threads_[key.tid % known_threads_.size()];
  uint64_t block = writer_.block().number();
  if (known.block == block && known.key == key) return known.index;
  known = {.key = key,
           .block = block,
           .index = writer_.block().intern(CapturedThread{.pid = key.pid,
                                                          .tid = key.tid,
                                                          .ppid = key.ppid,
                                                          .uid = key.uid,
                                                          .gid = key.gid,
                                                          .execname = key.name.data()})};
  return known.index;
}

uint32_t EventRecorder::intern_kernel_stack(const Field& field, const std::byte* record) {
  addresses_.clear();
  for (uint32_t at = 0; at < field.size; at += sizeof(uint64_t)) {
    uint64_t address = load_word(record + field.offset + at);
    if (address == 0) break;
    addresses_.push_back(address);
  }
  std::span<const uint64_t> stack = names_.without_tracer(addresses_);
  if (field.frames != 0) stack = stack.first(std::min<size_t>(stack.size(), field.frames));
  names_.add_kernel(stack);
  return writer_.block().intern(stack);
}

// A process and the addresses behind it.
uint32_t EventRecorder::intern_user_stack(const Field& field, const std::byte* record) {
  addresses_.clear();
  auto pid = static_cast<uint32_t>(load_word(record + field.offset));
  for (uint32_t at = sizeof(uint64_t); at < field.size; at += sizeof(uint64_t)) {
    uint64_t address = load_word(record + field.offset + at);
    if (address == 0) break;
    addresses_.push_back(address);
  }
  return writer_.block().intern(pid != 0 ? names_.add_code(pid, addresses_) : std::span<const uint64_t>{addresses_});
}

// A number, or the index of a byte string; 0: text that the process's memory did not hold (__user_text). Strings end
// with their NUL.
uint64_t EventRecorder::column_value(const Field& field, const std::byte* record) {
  if (field.kind == FieldKind::Integer) return static_cast<uint64_t>(load_integer(field, record));
  const char* bytes = reinterpret_cast<const char*>(record + field.offset);
  if (field.kind != FieldKind::String) return writer_.block().intern(std::string_view{bytes, field.size});
  const void* end = std::memchr(bytes, 0, field.size);
  size_t size = end != nullptr ? static_cast<size_t>(static_cast<const char*>(end) - bytes) + 1 : field.size;
  bool is_unread = size == 1 && field.size > 1 && bytes[1] == 1;
  return is_unread ? 0 : writer_.block().intern(std::string_view{bytes, size});
}

}  // namespace dscope
