#include "runtime/kernel/perf_rings.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

namespace dscope {

size_t PerfRings::mapped_bytes() const { return static_cast<size_t>(::sysconf(_SC_PAGESIZE)) + data_bytes_; }

bool PerfRings::open_ring(const perf_event_attr& attr, int cpu) {
  perf_event_attr copied = attr;
  Ring ring;
  ring.fd = Fd{static_cast<int>(::syscall(SYS_perf_event_open, &copied, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC))};
  if (!ring.fd) return false;
  void* pages = ::mmap(nullptr, mapped_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd.get(), 0);
  if (pages == MAP_FAILED) return false;
  ring.pages = pages;
  rings_.push_back(std::move(ring));
  return true;
}

std::unique_ptr<PerfRings> PerfRings::open(perf_event_attr attr, bool wakes, size_t data_bytes) {
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_DUMMY;
  attr.exclude_kernel = 1;
  attr.watermark = 1;
  attr.wakeup_watermark = wakes ? 1 : static_cast<uint32_t>(data_bytes);
  std::unique_ptr<PerfRings> rings{new PerfRings{data_bytes}};
  long cpus = ::sysconf(_SC_NPROCESSORS_CONF);
  // Opening fails for CPUs that are offline.
  for (int cpu = 0; cpu < cpus; ++cpu) rings->open_ring(attr, cpu);
  return rings->rings_.empty() ? nullptr : std::move(rings);
}

PerfRings::~PerfRings() {
  for (Ring& ring : rings_) ::munmap(ring.pages, mapped_bytes());
}

// Copies `size` bytes from position `at` of the ring, across its end if need be.
void PerfRings::copy(const char* data, uint64_t at, char* to, size_t size) const {
  size_t start = at % data_bytes_;
  size_t first = std::min(size, data_bytes_ - start);
  std::memcpy(to, data + start, first);
  std::memcpy(to + first, data, size - first);
}

void PerfRings::take(const std::function<void(const perf_event_header& header, std::string_view body)>& visit) {
  std::string record;
  for (const Ring& ring : rings_) {
    auto* control = static_cast<perf_event_mmap_page*>(ring.pages);
    const char* data = static_cast<const char*>(ring.pages) + control->data_offset;
    uint64_t head = std::atomic_ref<__u64>{control->data_head}.load(std::memory_order_acquire);
    uint64_t tail = control->data_tail;
    while (head - tail >= sizeof(perf_event_header)) {
      perf_event_header header;
      copy(data, tail, reinterpret_cast<char*>(&header), sizeof header);
      if (header.size < sizeof header || header.size > head - tail) break;
      record.resize(header.size);
      copy(data, tail, record.data(), record.size());
      tail += header.size;
      visit(header, std::string_view{record}.substr(sizeof header));
    }
    std::atomic_ref<__u64>{control->data_tail}.store(head, std::memory_order_release);
  }
}

std::vector<int> PerfRings::fds() const {
  std::vector<int> fds;
  for (const Ring& ring : rings_) fds.push_back(ring.fd.get());
  return fds;
}

}  // namespace dscope
