#include "runtime/symbols/mapping_watch.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>

#include "support/format.h"

namespace dscope {

namespace {

constexpr size_t data_size = size_t{128} << 10;

size_t ring_size() { return static_cast<size_t>(::sysconf(_SC_PAGESIZE)) + data_size; }

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

// Copies `size` bytes from position `at` of the ring buffer, across its end if need be.
void copy_from_ring(const char* data, uint64_t at, char* to, size_t size) {
  size_t start = at % data_size;
  size_t first = std::min(size, data_size - start);
  std::memcpy(to, data + start, first);
  std::memcpy(to + first, data, size - first);
}

void drain(void* pages, std::vector<MappingEvent>& events) {
  auto* control = static_cast<perf_event_mmap_page*>(pages);
  const char* data = static_cast<const char*>(pages) + control->data_offset;
  uint64_t head = std::atomic_ref<__u64>{control->data_head}.load(std::memory_order_acquire);
  uint64_t tail = control->data_tail;
  std::string record;
  while (head - tail >= sizeof(perf_event_header)) {
    perf_event_header header;
    copy_from_ring(data, tail, reinterpret_cast<char*>(&header), sizeof header);
    if (header.size < sizeof header || header.size > head - tail) break;
    record.resize(header.size);
    copy_from_ring(data, tail, record.data(), record.size());
    tail += header.size;
    std::string_view body = std::string_view{record}.substr(sizeof header);
    auto event = read_event(header, body);
    if (!event || body.size() < 8) continue;
    event->time = *read_as<uint64_t>(body.substr(body.size() - 8));
    events.push_back(std::move(*event));
  }
  std::atomic_ref<__u64>{control->data_tail}.store(head, std::memory_order_release);
}

}  // namespace

bool MappingWatch::open_ring(Ring& ring, int cpu, Wakes wakes) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_DUMMY;
  attr.sample_type = PERF_SAMPLE_TIME;
  attr.sample_id_all = 1;
  attr.mmap = 1;
  attr.mmap2 = 1;
  attr.comm = 1;
  attr.comm_exec = 1;
  attr.task = 1;
  attr.exclude_kernel = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  attr.watermark = 1;
  attr.wakeup_watermark = wakes == Wakes::AtOnce ? 1 : data_size;
  ring.fd = Fd{static_cast<int>(::syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC))};
  if (!ring.fd) return false;
  void* pages = ::mmap(nullptr, ring_size(), PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd.get(), 0);
  if (pages == MAP_FAILED) return false;
  ring.pages = pages;
  return true;
}

std::unique_ptr<MappingWatch> MappingWatch::open(Wakes wakes) {
  std::unique_ptr<MappingWatch> watch{new MappingWatch};
  long cpus = ::sysconf(_SC_NPROCESSORS_CONF);
  for (int cpu = 0; cpu < cpus; ++cpu) {
    Ring ring;
    // Opening fails for CPUs that are offline.
    if (open_ring(ring, cpu, wakes)) watch->rings_.push_back(std::move(ring));
  }
  return watch->rings_.empty() ? nullptr : std::move(watch);
}

MappingWatch::~MappingWatch() {
  for (Ring& ring : rings_) ::munmap(ring.pages, ring_size());
}

std::vector<MappingEvent> MappingWatch::take() {
  std::vector<MappingEvent> events;
  for (Ring& ring : rings_) drain(ring.pages, events);
  std::stable_sort(events.begin(), events.end(),
                   [](const MappingEvent& a, const MappingEvent& b) { return a.time < b.time; });
  return events;
}

std::vector<int> MappingWatch::fds() const {
  std::vector<int> fds;
  for (const Ring& ring : rings_) fds.push_back(ring.fd.get());
  return fds;
}

}  // namespace dscope
