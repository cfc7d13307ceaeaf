// LinkerBell: rings when the dynamic linker of a process has mapped libraries or is about to, by a probe of our own on
// the function it calls then. Whoever has seized the processes by ptrace(2) may have it stop them there.
#pragma once

#include <signal.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/load/bpf_map.h"
#include "runtime/load/ring_reader.h"
#include "support/fd.h"

namespace dscope {

class LinkerBell {
 public:
  // For whom else it may ring: processes that use the same linker, once they are added.
  enum class Others : uint8_t { Never, OnceAdded };
  // Null if none of the processes has such a linker, or this kernel does not let us have the probe.
  static std::unique_ptr<LinkerBell> open(const std::vector<uint32_t>& pids, Others others);
  void add(uint32_t pid);
  void remove(uint32_t pid);

  // Readable (edge) when it has rung.
  int fd() const { return ring_.fd(); }
  // It can ring again.
  void silence();
  // What stops a thread that is seized, and does nothing to any other: programs take no notice of it unless they ask
  // to. So no thread stands if whoever has seized it dies, at whatever moment.
  static constexpr int signal = SIGURG;
  // From now on the thread that rings gets the signal from the kernel, too; or does no longer. False: it cannot.
  bool stop_processes(bool stops);

 private:
  LinkerBell(BpfMap map, RingReader ring, BpfMap number, BpfMap pids)
      : map_(std::move(map)), ring_(std::move(ring)), number_(std::move(number)), pids_(std::move(pids)) {}

  BpfMap map_;
  RingReader ring_;
  BpfMap number_;  // of the signal that the thread gets, or 0
  BpfMap pids_;    // for whom it rings
  Fd program_;
  std::vector<Fd> links_;
};

}  // namespace dscope
