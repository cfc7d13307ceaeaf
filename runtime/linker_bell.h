// LinkerBell: rings when the dynamic linker of a process has mapped libraries or is about to, by a probe of our own on
// the function it calls then. Whoever has seized the processes by ptrace(2) may have it stop them there.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/bpf_map.h"
#include "runtime/ring_reader.h"
#include "support/fd.h"

namespace dscope {

class LinkerBell {
 public:
  // Null if none of the processes has such a linker, or this kernel does not let us have the probe.
  static std::unique_ptr<LinkerBell> open(const std::vector<uint32_t>& pids);

  // Readable (edge) when it has rung.
  int fd() const { return ring_.fd(); }
  // It can ring again.
  void silence();
  // From now on the thread that rings gets a SIGSTOP from the kernel, too; or does no longer. False: it cannot.
  bool stop_processes(bool stops);

 private:
  LinkerBell(BpfMap map, RingReader ring, BpfMap signal)
      : map_(std::move(map)), ring_(std::move(ring)), signal_(std::move(signal)) {}

  BpfMap map_;
  RingReader ring_;
  BpfMap signal_;  // one number: what the thread gets, or 0
  Fd program_;
  std::vector<Fd> links_;
};

}  // namespace dscope
