#include "driver/bundle/portable_code.h"

#include "driver/compile/code_generation.h"
#include "frontend/machine/machine_values.h"
#include "support/deep_stack.h"

namespace dscope {

Result<BundledCode> portable_code(const Compilation& compilation, CodeForm form) {
  DeepStack stack;
  const CompiledPlan& compiled = compilation.compiled;
  MachineValues values = machine_values(compilation.meaning, compiled);
  LowerOptions options = lower_options(form);
  options.machine_values = &values;
  IrModule ir = lower(compilation.sources, compilation.meaning, compiled, options);
  // A bundle has the code of every form, also of those that few kernels need. LLVM takes minutes to optimize conditions
  // of thousands of terms.
  Effort effort = default_effort(ir) == Effort::Quick ? Effort::Quick : effort_of(form).value_or(Effort::Default);
  DS_TRY_VOID(optimize(ir, compiled.plan.is_cpu_v4, effort));
  BundledCode code{.form = static_cast<uint32_t>(form), .shape = values.shape(), .results = ir};
  for (const MachineValue& value : values.values()) code.value_names.push_back(value.name);
  for (uint32_t index : ir.late.fixed_values) code.fixed_values.push_back(values.values()[index].value);
  DS_TRY(code.object, emit_object(ir, compiled.plan.is_cpu_v4));
  return code;
}

}  // namespace dscope
