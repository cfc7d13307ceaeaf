// ExtensionSet: programs that are added to a running session because a target has executed another program, a process
// has mapped a file, or the kernel has loaded a module.
#pragma once

#include <cstdint>
#include <deque>

#include "runtime/attach/attach.h"
#include "runtime/load/loader.h"
#include "runtime/session/program_cost.h"
#include "runtime/session/session.h"
#include "runtime/targets/targets.h"

namespace dscope {

class ExtensionSet {
 public:
  // `plan` gets the probes of extensions; `maps` are those of the running program, which extensions share. Both must
  // outlive the set. `only_cpu`: option cpu, or -1.
  ExtensionSet(ProgramPlan& plan, const MapSet& maps, int only_cpu) : plan_(plan), maps_(maps), only_cpu_(only_cpu) {}

  // Loads and attaches the programs of `extension`. `pid`: the process that has new code, 0 for the kernel.
  Result<> add(uint32_t pid, Extension extension);
  void detach();
  // Adds what the programs of all extensions have cost.
  void add_cost(const ProgramCost& counter, RunCost& cost) const;

 private:
  // Declared so that attachments are destroyed before the programs below them.
  struct Added {
    Extension extension;
    LoadedObject loaded;
    AttachedPrograms attached;
  };

  ProgramPlan& plan_;
  const MapSet& maps_;
  int only_cpu_;
  std::deque<Added> added_;
};

// Maps the constants and code of all processes that the plan probes, and of the targets, which it may trace by other
// probes such as system calls. Does nothing if no program of the plan can fault on an absent page.
void prefault_processes(const ProgramPlan& plan, const Targets& targets);

}  // namespace dscope
