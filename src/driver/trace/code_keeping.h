// Keeps the code of a run in the cache, for later runs of the same program on this kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/command_line/command_line.h"
#include "driver/compile/code_source.h"
#include "driver/record/recording.h"
#include "driver/trace/awaited_probes.h"

namespace dscope {

// Whether the code depends on nothing but the inputs of cache_key(). It must not refer to processes or their files, to
// events that are defined while the kernel runs, or to this process's own id unless that is open. `has_target`: $target
// is not 0.
bool is_reusable(const Compilation& compilation, const GeneratedCode& code, const AwaitedProbes& awaited,
                 bool has_target);

// The key of a run, taken before its programs are read.
class KeptCode {
 public:
  KeptCode(const CommandLine& command_line, const OptionValues& options);
  // Stores `code`, which the kernel has accepted. Stores nothing if a script has changed since the key was taken.
  // `recording`: null if nothing is recorded.
  void store(const Compilation& compilation, const GeneratedCode& code, const AwaitedProbes& awaited,
             const Recording* recording) const;

 private:
  const CommandLine& command_line_;
  OptionValues options_;  // before the pragmas of the programs
  std::optional<std::string> key_;
};

}  // namespace dscope
