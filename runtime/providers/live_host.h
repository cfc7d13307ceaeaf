// LiveHost: the Host for this machine. Creating it costs nothing; each query reads what it needs.
#pragma once

#include <memory>

#include "contract/host.h"
#include "contract/process_tools.h"

namespace dscope {

// How descriptions for many processes (python*:::) are matched. OneForAll, for tracing: one probe for all
// processes, including future ones. Each, for listing: one probe per existing process.
enum class ProcessRows : uint8_t { OneForAll, Each };

// Follow: targets are followed into the programs that they execute, so descriptions of their probes match a placeholder
// that never fires if there is no probe yet. FollowAll: the same for descriptions of probes of all processes and of
// kernel modules.
enum class OnExec : uint8_t { Stay, Follow, FollowAll };

class LiveHost : public Host {
 public:
  // `pid`, the target or one of its children, has executed another program: descriptions of the target's probes match
  // those of that program from now on.
  virtual void executed(uint32_t target, uint32_t pid) = 0;
  // Process `pid` has mapped the code of a file. True if the file has probes that match earlier descriptions of probes
  // of all processes; these match from now on.
  virtual bool mapped(uint32_t pid, const std::string& path) = 0;
  // The kernel has loaded modules: descriptions match their probes from now on.
  virtual void loaded(const std::vector<std::string>& modules) = 0;
};

std::unique_ptr<LiveHost> make_live_host(ProcessTools tools = {}, ProcessRows rows = ProcessRows::OneForAll,
                                         OnExec on_exec = OnExec::Stay);

}  // namespace dscope
