// MappingWatch: what processes map, fork and execute, as the kernel tells it to perf: so that processes that are gone
// before anybody reads /proc/<pid>/maps still have names.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/elf/process_maps.h"
#include "support/fd.h"

namespace dscope {

struct MappingEvent {
  enum class Kind { Map, Execute, Fork, Exit };
  Kind kind;
  uint64_t time;        // of CLOCK_MONOTONIC, in nanoseconds
  uint32_t tgid;        // of the process; of the child, if it forks
  uint32_t thread = 0;  // that has mapped
  uint32_t parent = 0;  // of a child
  Mapping mapping;      // what was mapped; executable
};

class MappingWatch {
 public:
  // Listens from now on, on all CPUs. Null if the kernel does not let us (perf_event_open(2) needs CAP_PERFMON).
  enum class Wakes : uint8_t { Never, AtOnce };
  static std::unique_ptr<MappingWatch> open(Wakes wakes = Wakes::Never);
  ~MappingWatch();
  MappingWatch(const MappingWatch&) = delete;
  MappingWatch& operator=(const MappingWatch&) = delete;

  // What happened since the last call, in order. Cheap if nothing did. A CPU's events that did not fit into its buffer
  // of 128 KiB are missing.
  std::vector<MappingEvent> take();
  // Readable (edge) as soon as something happens: with Wakes::AtOnce.
  std::vector<int> fds() const;

 private:
  // The buffer a CPU's events come through.
  struct Ring {
    Fd fd;
    void* pages = nullptr;
  };

  MappingWatch() = default;
  static bool open_ring(Ring& ring, int cpu, Wakes wakes);

  std::vector<Ring> rings_;
};

}  // namespace dscope
