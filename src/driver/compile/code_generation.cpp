#include "driver/compile/code_generation.h"

#include "frontend/machine/process_macros.h"
#include "runtime/load/late_binder.h"
#include "support/check.h"
#include "support/deep_stack.h"

namespace dscope {

LowerOptions lower_options(CodeForm form) {
  switch (form) {
    case CodeForm::Fast:
    case CodeForm::Short: return {};
    case CodeForm::Checked: return {.trusted_loads = false, .stack_keys = false};
    case CodeForm::CheckedAwake: return {.trusted_loads = false, .stack_keys = false, .may_sleep = false};
    case CodeForm::Described: return {.debug_info = true};
  }
  DS_UNREACHABLE();
}

// Linux 6.18 rejects some stack words, depending on where LLVM keeps values. Other passes keep them elsewhere.
// Start-up time no longer matters then.
std::optional<Effort> effort_of(CodeForm form) {
  switch (form) {
    case CodeForm::Fast:
    case CodeForm::Short: return std::nullopt;
    case CodeForm::Checked:
    case CodeForm::Described: return Effort::Default;
    case CodeForm::CheckedAwake: return Effort::Full;
  }
  DS_UNREACHABLE();
}

namespace {

// Writes the values of this process into the code, and keeps the code with open numbers.
Result<> complete_code(const MachineValues& macros, const IrModule& ir, GeneratedCode& code) {
  LateContent content;
  OpenCode open{.object = code.object, .numbers = {}};
  for (const std::vector<uint32_t>& terms : ir.late.numbers) {
    const MachineValue& value = macros.values()[terms.front()];
    content.numbers.push_back(value.value);
    open.numbers.push_back(value.name);
  }
  DS_TRY(code.object, bind_late_code(open.object, content));
  if (ir.late.fixed_values.empty()) code.open = std::move(open);
  return {};
}

}  // namespace

Result<GeneratedCode> Compiler::generate(const Compilation& compilation, CodeForm form) {
  DeepStack stack;
  const CompiledPlan& compiled = compilation.compiled;
  std::optional<MachineValues> macros =
      process_macros(compilation.sources, compilation.user_units, compilation.meaning);
  LowerOptions options = lower_options(form);
  if (macros) options.open_constants = &*macros;
  IrModule ir = lower(compilation.sources, compilation.meaning, compiled, options);
  GeneratedCode code{.plan = compiled.plan, .object = {}, .form = form};
  complete_plan(code.plan, ir, compiled.layout.scratch_groups);
  Shape shape = form == CodeForm::Short ? Shape::Short : Shape::Fast;
  DS_TRY_VOID(optimize(ir, code.plan.is_cpu_v4, effort_of(form).value_or(default_effort(ir)), shape));
  DS_TRY(code.object, emit_object(ir, code.plan.is_cpu_v4));
  if (!ir.late.numbers.empty()) DS_TRY_VOID(complete_code(*macros, ir, code));
  return code;
}

Result<GeneratedCode> generate_code(const Compilation& compilation, Progress& progress) {
  Compiler compiler;
  progress.show("generating code");
  auto code = compiler.generate(compilation, CodeForm::Fast);
  // Without long branches, a clause may be too large for LLVM.
  if (!code)
    if (auto shorter = compiler.generate(compilation, CodeForm::Short)) code = std::move(shorter);
  if (!code) {
    auto described = compiler.generate(compilation, CodeForm::Described);
    if (!described) code = std::move(described);
  }
  progress.clear();
  return code;
}

}  // namespace dscope
