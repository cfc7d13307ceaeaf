#include "codegen/lower/lower.h"

#include "codegen/lower/lowerers.h"

namespace dscope {

IrModule lower(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled,
               const LowerOptions& options) {
  IrModule ir;
  Lowerers(sources, meaning, compiled, options, ir).programs.emit();
  constexpr uint32_t max_per_cpu_element = 32 << 10;  // the kernel's PCPU_MIN_UNIT_SIZE
  if (!options.per_cpu_scratch || ir.scratch_size <= max_per_cpu_element) return ir;
  LowerOptions with_one_array = options;
  with_one_array.per_cpu_scratch = false;
  return lower(sources, meaning, compiled, with_one_array);
}

}  // namespace dscope
