#include "runtime/targets/exec_watch.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace dscope {

std::optional<ExecWatch> ExecWatch::open(pid_t pid) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_DUMMY;
  attributes.comm = 1;
  attributes.comm_exec = 1;
  attributes.exclude_kernel = 1;
  Fd event{static_cast<int>(::syscall(SYS_perf_event_open, &attributes, pid, -1, -1, PERF_FLAG_FD_CLOEXEC))};
  if (!event) return std::nullopt;
  auto size = 2 * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  auto ring = MappedMemory::create(event.get(), size, PROT_READ | PROT_WRITE, 0);
  if (!ring) return std::nullopt;
  return ExecWatch(std::move(event), std::move(*ring));
}

// The records are the names that the main thread has had. A thread that renames itself has not called exec.
bool ExecWatch::has_executed() const {
  auto* control = reinterpret_cast<perf_event_mmap_page*>(ring_.data());
  uint64_t end = std::atomic_ref<__u64>{control->data_head}.load(std::memory_order_acquire);
  const std::byte* records = ring_.data() + ring_.size() / 2;
  perf_event_header header;
  for (uint64_t at = 0; at + sizeof header <= end && end <= ring_.size() / 2; at += header.size) {
    std::memcpy(&header, records + at, sizeof header);
    if (header.type == PERF_RECORD_COMM && (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0) return true;
    if (header.size < sizeof header) return false;
  }
  return false;
}

}  // namespace dscope
