// Follower: recompiles the D program when a target has executed another program (-x follow=exec) or the kernel has
// loaded a module (-Z), so that descriptions match the new probes too. The BPF programs loaded before keep running.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"
#include "driver/trace/awaited_probes.h"
#include "runtime/providers/live_host.h"

namespace dscope {

class Follower {
 public:
  // All arguments must outlive the Follower. `running`: the compilation that the session was loaded from.
  Follower(const CommandLine& command_line, const OptionValues& options, LiveHost& host, std::vector<uint32_t> targets,
           const Compilation& running, AwaitedProbes& awaited);

  // Each returns a compilation that contains only the BPF programs to load in addition, owned by the Follower, or null
  // if no new probe matches. Fails if the recompiled program needs other records or maps than the running one.
  // `pid`, a target or a child of one, has executed another program.
  Result<const Compilation*> recompile_after_exec(uint32_t pid);
  // `pid`, any process, has mapped a file.
  Result<const Compilation*> recompile_for_file(uint32_t pid, const std::string& path);
  // The kernel has loaded modules.
  Result<const Compilation*> recompile_for_modules(const std::vector<std::string>& names);

 private:
  Result<const Compilation*> recompile();
  uint32_t target_of(uint32_t pid) const;
  bool keep_new_attachments(CompiledPlan& compiled);

  const CommandLine& command_line_;
  const OptionValues& options_;
  LiveHost& host_;
  std::vector<uint32_t> targets_;
  AwaitedProbes& awaited_;
  const ArchivedSources* archived_;
  std::vector<std::unique_ptr<Compilation>> compilations_;  // the host refers to their types
  const CompiledPlan* latest_;
  // Keys of the attachments that exist, by kernel module; the empty name for all others.
  std::map<std::string, std::set<std::string>> attached_;
};

}  // namespace dscope
