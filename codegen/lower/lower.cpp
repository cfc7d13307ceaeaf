#include "codegen/lower/lower.h"

#include "codegen/lower/lowerers.h"

namespace dscope {

namespace {

// The kernel allocates per-CPU memory for all CPUs that could ever be added. A virtual machine of 4 CPUs may have 240.
bool has_many_absent_cpus(const Layout& layout) {
  constexpr uint32_t min_ratio = 4;
  return layout.cpu_count >= min_ratio * layout.scratch_groups;
}

}  // namespace

IrModule lower(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled,
               const LowerOptions& options) {
  LowerOptions form = options;
  form.per_cpu_scratch = options.per_cpu_scratch && !has_many_absent_cpus(compiled.layout);
  IrModule ir;
  Lowerers(sources, meaning, compiled, form, ir).programs.emit();
  constexpr uint32_t max_per_cpu_element = 32 << 10;  // the kernel's PCPU_MIN_UNIT_SIZE
  if (!form.per_cpu_scratch || ir.scratch_size <= max_per_cpu_element) return ir;
  form.per_cpu_scratch = false;
  return lower(sources, meaning, compiled, form);
}

}  // namespace dscope
