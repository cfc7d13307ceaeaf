// LiveHost: the Host that answers for this machine. Making it costs nothing; each answer reads what it needs.
#pragma once

#include <memory>

#include "contract/host.h"
#include "contract/process_tools.h"

namespace dscope {

// What a description of the probes of many processes (python*:::) matches: to trace them, one probe for all processes,
// those to come included; to list them, one for each process there is.
enum class ProcessRows : uint8_t { OneForAll, Each };

// Whether the targets are followed into the programs they execute: then descriptions of their probes match, at first
// one that never fires, also where there is none yet. FollowAll: so do those of the probes of all processes, and of
// modules of the kernel.
enum class OnExec : uint8_t { Stay, Follow, FollowAll };

class LiveHost : public Host {
 public:
  // A target, or a child of it, `pid`, has executed another program: descriptions of the target's probes match those of
  // that program from now on.
  virtual void executed(uint32_t target, uint32_t pid) = 0;
  // Process `pid` has mapped the code of a file. True if descriptions of the probes of all processes match some of it,
  // which they do from now on.
  virtual bool mapped(uint32_t pid, const std::string& path) = 0;
  // The kernel has loaded modules: descriptions match their probes from now on.
  virtual void loaded(const std::vector<std::string>& modules) = 0;
};

std::unique_ptr<LiveHost> make_live_host(ProcessTools tools = {}, ProcessRows rows = ProcessRows::OneForAll,
                                         OnExec on_exec = OnExec::Stay);

}  // namespace dscope
