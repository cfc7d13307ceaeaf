// DynamicLinkerProbe: a uprobe on the function that the dynamic linker calls when it is about to map libraries and when
// it has mapped them. It reports these calls, and can stop the calling threads if their tracer has seized them by
// ptrace(2).
#pragma once

#include <signal.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/load/bpf_map.h"
#include "runtime/load/ring_reader.h"
#include "support/fd.h"

namespace dscope {

class DynamicLinkerProbe {
 public:
  // AddedProcesses: add() extends the probe to other processes that use the same linker.
  enum class Scope : uint8_t { GivenProcesses, AddedProcesses };
  // Null if none of the processes has a dynamic linker, or the kernel refuses the probe.
  static std::unique_ptr<DynamicLinkerProbe> open(const std::vector<uint32_t>& pids, Scope scope);
  void add(uint32_t pid);
  void remove(uint32_t pid);

  // Readable (edge) when the probe has fired.
  int fd() const { return ring_.fd(); }
  // Empties the ring, so that the descriptor becomes readable again at the next call.
  void acknowledge();

  // The signal that stops a seized thread. Its default action is to be ignored, so threads whose tracer has died keep
  // running.
  static constexpr int signal = SIGURG;
  // Starts or ends sending `signal` to the threads that hit the probe. False if the kernel refuses.
  bool stop_threads(bool stops);

 private:
  DynamicLinkerProbe(BpfMap map, RingReader ring, BpfMap number, BpfMap pids)
      : map_(std::move(map)), ring_(std::move(ring)), signal_number_(std::move(number)), pids_(std::move(pids)) {}

  BpfMap map_;
  RingReader ring_;
  BpfMap signal_number_;  // the signal that the program sends, or 0
  BpfMap pids_;           // the processes that the program reports
  Fd program_;
  std::vector<Fd> links_;
};

}  // namespace dscope
