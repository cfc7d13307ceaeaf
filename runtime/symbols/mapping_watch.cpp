#include "runtime/symbols/mapping_watch.h"

#include <time.h>

#include <algorithm>
#include <optional>

#include "support/format.h"

namespace dscope {

namespace {

// Record layouts from perf_event_open(2), section "MMAP layout". Each record ends with the time.
struct MapRecord {
  uint32_t pid, tid;
  uint64_t address, length, file_offset;
  uint32_t major, minor;
  uint64_t inode, inode_generation;
  uint32_t protection, flags;
};
struct TaskRecord {
  uint32_t pid, parent_pid, tid, parent_tid;
};

template <typename T>
std::optional<T> read_as(std::string_view bytes) {
  if (bytes.size() < sizeof(T)) return std::nullopt;
  T value;
  std::copy_n(bytes.begin(), sizeof value, reinterpret_cast<char*>(&value));
  return value;
}

std::optional<MappingEvent> read_map(std::string_view body) {
  auto record = read_as<MapRecord>(body);
  if (!record) return std::nullopt;
  std::string_view name = body.substr(sizeof *record);
  name = name.substr(0, name.find('\0'));
  Mapping mapping{.start = record->address, .end = record->address + record->length, .offset = record->file_offset};
  mapping.device = fmt::format("{:02x}:{:02x}", record->major, record->minor);
  mapping.inode = record->inode;
  // The kernel names anonymous memory "//anon".
  if (!name.starts_with("//")) mapping.path = name;
  return MappingEvent{.kind = MappingEvent::Kind::Map,
                      .time = 0,
                      .tgid = record->pid,
                      .thread = record->tid,
                      .mapping = std::move(mapping)};
}

std::optional<MappingEvent> read_fork(std::string_view body) {
  auto record = read_as<TaskRecord>(body);
  bool is_thread = record && record->pid == record->parent_pid;
  if (!record || is_thread) return std::nullopt;
  return MappingEvent{
      .kind = MappingEvent::Kind::Fork, .time = 0, .tgid = record->pid, .parent = record->parent_pid, .mapping = {}};
}

// Only the exit of the main thread counts as that of the process.
std::optional<MappingEvent> read_exit(std::string_view body) {
  auto record = read_as<TaskRecord>(body);
  if (!record || record->pid != record->tid) return std::nullopt;
  return MappingEvent{.kind = MappingEvent::Kind::Exit, .time = 0, .tgid = record->pid, .mapping = {}};
}

std::optional<MappingEvent> read_event(const perf_event_header& header, std::string_view body) {
  if (header.type == PERF_RECORD_MMAP2) return read_map(body);
  if (header.type == PERF_RECORD_FORK) return read_fork(body);
  if (header.type == PERF_RECORD_EXIT) return read_exit(body);
  bool is_execute = header.type == PERF_RECORD_COMM && (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
  auto pid = read_as<uint32_t>(body);
  if (!is_execute || !pid) return std::nullopt;
  return MappingEvent{.kind = MappingEvent::Kind::Execute, .time = 0, .tgid = *pid, .mapping = {}};
}

}  // namespace

std::unique_ptr<MappingWatch> MappingWatch::open(Wakes wakes) {
  perf_event_attr attr{};
  attr.sample_type = PERF_SAMPLE_TIME;
  attr.sample_id_all = 1;
  attr.mmap = 1;
  attr.mmap2 = 1;
  attr.comm = 1;
  attr.comm_exec = 1;
  attr.task = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  auto rings = PerfRings::open(attr, wakes == Wakes::AtOnce);
  return rings == nullptr ? nullptr : std::unique_ptr<MappingWatch>{new MappingWatch{std::move(rings)}};
}

std::vector<MappingEvent> MappingWatch::take() {
  std::vector<MappingEvent> events;
  rings_->take([&](const perf_event_header& header, std::string_view body) {
    auto event = read_event(header, body);
    if (!event || body.size() < 8) return;
    event->time = *read_as<uint64_t>(body.substr(body.size() - 8));
    events.push_back(std::move(*event));
  });
  std::stable_sort(events.begin(), events.end(),
                   [](const MappingEvent& a, const MappingEvent& b) { return a.time < b.time; });
  return events;
}

}  // namespace dscope
