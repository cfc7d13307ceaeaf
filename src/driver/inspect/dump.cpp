#include "driver/inspect/dump.h"

#include "codegen/core/object.h"
#include "codegen/lower/lower.h"
#include "frontend/syntax/ast_print.h"
#include "support/deep_stack.h"

namespace dscope {

namespace {

std::string probe_lines(const ProgramPlan& plan) {
  std::string text;
  for (const ProbePlan& probe : plan.probes)
    text += fmt::format("{:5} {}:{}:{}:{}\n", probe.id, probe.provider, probe.module, probe.function, probe.name);
  return text;
}

std::string token_lines(const Compilation& compilation) {
  DeepStack stack;
  std::string text;
  for (const Token& token : compilation.tokens) text += dump_token(token, compilation.sources.text(token.range)) + "\n";
  return text;
}

std::string type_lines(const Compilation& compilation) {
  const Semantics& meaning = compilation.meaning;
  std::string text;
  for (const Variable& variable : meaning.variables) {
    const char* scope = variable.scope == VariableScope::Self   ? "self->"
                        : variable.scope == VariableScope::This ? "this->"
                                                                : "";
    std::string keys;
    for (TypeId key : variable.keys) keys += (keys.empty() ? "" : ", ") + meaning.types->spell(key);
    text += fmt::format("{}{}{}: {}\n", scope, variable.name, variable.is_associative ? "[" + keys + "]" : "",
                        meaning.types->spell(variable.type));
  }
  for (const Aggregation& aggregation : meaning.aggregations) {
    std::string keys;
    for (const AggregationKey& key : aggregation.keys)
      keys += (keys.empty() ? "" : ", ") + meaning.types->spell(key.type);
    text += fmt::format("@{}[{}] = {}()\n", aggregation.name, keys, row(aggregation.function).name);
  }
  return text;
}

Result<std::string> dump_stage(DumpStage stage, const Compilation& compilation) {
  const CompiledPlan& compiled = compilation.compiled;
  bool is_v4 = compiled.plan.is_cpu_v4;
  switch (stage) {
    case DumpStage::Tokens: return token_lines(compilation);
    case DumpStage::Ast: return dump_tree(compilation.program);
    case DumpStage::Source: return print_source(compilation.program);
    case DumpStage::Types: return type_lines(compilation);
    case DumpStage::Probes: return probe_lines(compiled.plan);
    case DumpStage::Plan:
    case DumpStage::Ir:
    case DumpStage::IrOpt:
    case DumpStage::Asm:
    case DumpStage::Object: break;
  }
  IrModule ir = lower(compilation.sources, compilation.meaning, compiled, {});
  ProgramPlan plan = compiled.plan;
  complete_plan(plan, ir);
  if (stage == DumpStage::Plan) return dump_plan(plan);
  if (stage == DumpStage::Ir) {
    std::string problem = verify_ir(ir);
    return print_ir(ir) + (problem.empty() ? "" : "; not well-formed: " + problem + "\n");
  }
  DS_TRY_VOID(optimize(ir, is_v4, default_effort(ir)));
  if (stage == DumpStage::IrOpt) return print_ir(ir);
  if (stage == DumpStage::Asm) return emit_assembly(ir, is_v4);
  DS_TRY(BpfObject object, emit_object(ir, is_v4));
  return std::string(object.bytes.begin(), object.bytes.end());
}

}  // namespace

Result<std::string> dump(const std::vector<DumpStage>& stages, const Compilation& compilation) {
  std::string text;
  for (DumpStage stage : stages) {
    DS_TRY(std::string part, dump_stage(stage, compilation));
    if (stages.size() > 1) text += fmt::format("--- {}\n", to_string(stage));
    text += part;
  }
  return text;
}

}  // namespace dscope
