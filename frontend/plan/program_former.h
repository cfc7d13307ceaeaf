// Forms the rows and BPF programs for enabled probes (private to plan_builder). Decides which probes share a program,
// its context, and the kernel mechanism that fires it.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "contract/machine.h"
#include "frontend/plan/enabled_probe.h"

namespace dscope {

class Host;

class ProgramFormer {
 public:
  // `needs`: by clause number. `before`: as in build_plan().
  ProgramFormer(const Semantics& meaning, const OptionValues& options, Host& host, std::vector<ClauseNeeds> needs,
                const CompiledPlan* before, CompiledPlan& out);

  void form(const std::vector<EnabledProbe>& enabled);

 private:
  void add_probe(EnabledProbe enabled);
  void add_hooked(EnabledProbe enabled, const Probe& hooked);
  uint32_t new_row(const EnabledProbe& enabled);
  std::vector<PlacedVariable> placed_variables(const EnabledProbe& enabled) const;
  uint64_t arguments_read(const EnabledProbe& enabled) const;
  bool reads_arguments(const EnabledProbe& enabled) const;
  bool reads_firing_context(const EnabledProbe& enabled) const;
  bool may_return_cheaply(const EnabledProbe& enabled) const;

  // One overload for each kind of hook.
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookTestRun& hook);
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookTimer& hook);
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookPerfClock& hook);
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookPerfEvent& hook);
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookSyscall& hook);
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookRawTracepoint& hook);
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookTracepoint& hook);
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookUprobe& hook);
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookFunction& written);
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookIterator& hook);
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookWatch& hook);
  FunctionMechanism mechanism_for(const HookFunction& hook);

  // `key`: the context and other properties that must be equal for probes to share a program.
  size_t join_program(const EnabledProbe& enabled, uint32_t row, BpfContext context, const Hook& hook, std::string key);
  size_t add_derived(const EnabledProbe& enabled, uint32_t row, BpfContext context, const Hook& hook);
  size_t add_own_program(const EnabledProbe& enabled, uint32_t row, BpfContext context, const Hook& hook);
  size_t new_program(const EnabledProbe& enabled, uint32_t row, BpfContext context, RowSource source);
  void add_row(size_t program, const EnabledProbe& enabled, uint32_t row);
  void order_programs();

  const Semantics& meaning_;
  const OptionValues& options_;
  Host& host_;
  const MachineFacts& facts_;
  std::vector<ClauseNeeds> needs_;
  CompiledPlan& out_;
  std::map<std::string, size_t> joined_;                            // key -> program
  std::unordered_map<uint32_t, std::deque<uint32_t>> rows_before_;  // by probe id
  size_t function_count_ = 0;                                       // enabled probes on kernel functions
  std::optional<FunctionMechanisms> mechanisms_;                    // asked for once
};

// For kernels whose uprobes fire in every process that maps the file: makes the programs compare the pid. A child of
// vfork(2) runs in its parent's memory. Programs for several processes stay unchanged.
void restrict_to_processes(CompiledPlan& out);

}  // namespace dscope
