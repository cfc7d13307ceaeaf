// Follower: compiles the program again when a target has executed another one (-x follow=exec), or the kernel has
// loaded a module (-Z), so that descriptions mean the probes of that too. What was compiled before keeps running.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"
#include "driver/run/awaited_probes.h"
#include "runtime/providers/live_host.h"

namespace dscope {

class Follower {
 public:
  // All must outlive it. `running`: what the session was loaded from.
  Follower(const CommandLine& command_line, const OptionValues& options, LiveHost& host, std::vector<uint32_t> targets,
           const Compilation& running, AwaitedProbes& awaited);

  // What to load in addition, as `pid`, a target or a child of one, has executed another program: of the programs those
  // that hang where none did before. Null: there are none. Fails if the program means something else there.
  Result<const Compilation*> look_again(uint32_t pid);
  // The same, as `pid`, whichever process, has mapped a file.
  Result<const Compilation*> look_at_file(uint32_t pid, const std::string& path);
  // The same, as the kernel has loaded modules.
  Result<const Compilation*> look_at_modules(const std::vector<std::string>& names);

 private:
  Result<const Compilation*> compile_again();
  uint32_t target_of(uint32_t pid) const;
  bool keep_new(CompiledPlan& compiled);

  const CommandLine& command_line_;
  const OptionValues& options_;
  LiveHost& host_;
  std::vector<uint32_t> targets_;
  AwaitedProbes& awaited_;
  std::vector<std::unique_ptr<Compilation>> compilations_;  // the host remembers their types
  const CompiledPlan* latest_;
  // What hangs already, by module of the kernel if it is in one.
  std::map<std::string, std::set<std::string>> known_;
};

}  // namespace dscope
