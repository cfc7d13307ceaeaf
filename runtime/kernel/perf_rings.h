// PerfRings: the ring buffers of one perf event on each CPU, for events that the kernel describes in records of their
// own (perf_event_open(2), section "MMAP layout"): mappings, forks, cgroups.
#pragma once

#include <linux/perf_event.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "support/fd.h"

namespace dscope {

class PerfRings {
 public:
  static constexpr size_t default_data_bytes = size_t{128} << 10;

  // Starts to record on all CPUs. `attr` is that of a dummy software event; this function adds what the rings need.
  // `wakes`: the descriptors become readable at each record. `data_bytes`: a power of two, of each ring. Null if the
  // kernel refuses: perf_event_open(2) needs CAP_PERFMON.
  static std::unique_ptr<PerfRings> open(perf_event_attr attr, bool wakes, size_t data_bytes = default_data_bytes);
  ~PerfRings();
  PerfRings(const PerfRings&) = delete;
  PerfRings& operator=(const PerfRings&) = delete;

  // Calls `visit` with the records since the last call, CPU by CPU, each without its header. Cheap if there are none.
  // The kernel drops records while the ring of their CPU is full.
  void take(const std::function<void(const perf_event_header& header, std::string_view body)>& visit);
  // This object owns the descriptors.
  std::vector<int> fds() const;

 private:
  struct Ring {
    Fd fd;
    void* pages = nullptr;
  };

  explicit PerfRings(size_t data_bytes) : data_bytes_(data_bytes) {}
  bool open_ring(const perf_event_attr& attr, int cpu);
  void copy(const char* data, uint64_t at, char* to, size_t size) const;
  size_t mapped_bytes() const;

  size_t data_bytes_;
  std::vector<Ring> rings_;
};

}  // namespace dscope
