// Follower: compiles the program again when a target has executed another one (-x follow=exec), so that descriptions of
// the target's probes mean those of the new program too. What was compiled before keeps running.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "driver/awaited_probes.h"
#include "driver/command_line.h"
#include "driver/compilation.h"
#include "runtime/live_host.h"

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
  std::set<std::string> known_;  // attachments
};

}  // namespace dscope
