#include "driver/compile/code_generation.h"

#include "support/deep_stack.h"

namespace dscope {

Result<GeneratedCode> generate_code(const Compilation& compilation, const LowerOptions& options,
                                    std::optional<Effort> effort) {
  DeepStack stack;
  IrModule ir = lower(compilation.sources, compilation.meaning, compilation.compiled, options);
  GeneratedCode code{.plan = compilation.compiled.plan, .object = {}, .options = options};
  complete_plan(code.plan, ir);
  DS_TRY_VOID(optimize(ir, code.plan.is_cpu_v4, effort.value_or(default_effort(ir))));
  DS_TRY(code.object, emit_object(ir, code.plan.is_cpu_v4));
  return code;
}

Result<GeneratedCode> generate_code(const Compilation& compilation, Progress& progress) {
  progress.show("generating code");
  auto code = generate_code(compilation, LowerOptions{});
  if (!code) {
    auto described = generate_code(compilation, {.debug_info = true});
    if (!described) code = std::move(described);
  }
  progress.clear();
  return code;
}

}  // namespace dscope
