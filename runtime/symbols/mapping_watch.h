// MappingWatch: executable mappings, forks, execs and exits of all processes, as perf events. They give names to the
// addresses of processes that exit before anybody reads /proc/<pid>/maps.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/elf/process_maps.h"
#include "runtime/kernel/perf_rings.h"

namespace dscope {

struct MappingEvent {
  enum class Kind { Map, Execute, Fork, Exit };
  Kind kind;
  uint64_t time;        // CLOCK_MONOTONIC, in nanoseconds
  uint32_t tgid;        // the process; for Fork, the child
  uint32_t thread = 0;  // for Map: the thread that mapped
  uint32_t parent = 0;  // for Fork: the tgid of the parent
  Mapping mapping;      // for Map: the new executable mapping
};

class MappingWatch {
 public:
  // Starts to record on all CPUs. Null if the kernel refuses: perf_event_open(2) needs CAP_PERFMON.
  enum class Wakes : uint8_t { Never, AtOnce };
  static std::unique_ptr<MappingWatch> open(Wakes wakes = Wakes::Never);
  // The events since the last call, by time. Cheap if there are none. The kernel drops events while the buffer of their
  // CPU, 128 KiB, is full.
  std::vector<MappingEvent> take();
  // With Wakes::AtOnce: descriptors that become readable (edge-triggered) at each event. This object owns them.
  std::vector<int> fds() const { return rings_->fds(); }

 private:
  explicit MappingWatch(std::unique_ptr<PerfRings> rings) : rings_(std::move(rings)) {}

  std::unique_ptr<PerfRings> rings_;
};

}  // namespace dscope
