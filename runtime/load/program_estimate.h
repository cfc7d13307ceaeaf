// Estimates from the instructions of a linked program, without a kernel: its size, stack and helpers, the work of the
// verifier, the time of a firing. For the summary of --dry-run.
#pragma once

#include <cstdint>
#include <set>
#include <span>

#include "contract/program_plan.h"
#include "runtime/load/program_linker.h"

namespace dscope {

struct ProgramEstimate {
  uint32_t instructions = 0;
  uint32_t stack_bytes = 0;  // of the deepest chain of calls
  std::set<uint32_t> helpers;
  // Instructions that the verifier follows: those of the program, with functions once per call and loops several times.
  uint64_t verifier_instructions = 0;
  // Time in the program, without that of the mechanism that runs it: the cheapest and the most expensive path of a
  // firing in which tracing is on, loops run once, and map elements exist.
  double min_ns = 0, max_ns = 0;
  bool has_loops = false;
};

// The instructions that load maps must refer to them by their index in `maps`, as NumberedMaps resolves them.
ProgramEstimate estimate_program(const LinkedProgram& program, std::span<const MapPlan> maps);

// Resolves maps to their indices in the plan. Nothing else has a number without a kernel.
class NumberedMaps : public SymbolResolver {
 public:
  explicit NumberedMaps(std::span<const MapPlan> maps) : maps_(maps) {}
  Result<MapReference> map(std::string_view name) override;
  Result<int> data_section(uint32_t) override { return static_cast<int>(maps_.size()); }
  Result<int32_t> kernel_function(std::string_view) override { return 0; }

 private:
  std::span<const MapPlan> maps_;
};

}  // namespace dscope
