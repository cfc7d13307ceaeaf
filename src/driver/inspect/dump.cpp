#include "driver/inspect/dump.h"

#include "archive/bundle.h"
#include "codegen/core/object.h"
#include "codegen/lower/lower.h"
#include "frontend/syntax/ast_print.h"
#include "support/check.h"
#include "support/deep_stack.h"
#include "support/excerpt.h"

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

std::string in_color(const Palette& palette, std::string_view color, std::string_view text) {
  return color.empty() || text.empty() ? std::string(text) : fmt::format("{}{}{}", color, text, palette.reset);
}

// Applies `colored` to each line.
template <typename F>
std::string colored_lines(std::string_view text, const F& colored) {
  std::string result;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    result += colored(text.substr(0, end));
    if (end < text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace

Result<std::string> dump(DumpStage stage, const Compilation& compilation, CodeDetail detail) {
  const CompiledPlan& compiled = compilation.compiled;
  bool is_v4 = compiled.plan.is_cpu_v4;
  switch (stage) {
    case DumpStage::Tokens: return token_lines(compilation);
    case DumpStage::Ast: return dump_tree(compilation.program);
    case DumpStage::Source: return print_source(compilation.program);
    case DumpStage::Types: return type_lines(compilation);
    case DumpStage::Probes: return probe_lines(compiled.plan);
    case DumpStage::Summary: DS_UNREACHABLE();
    case DumpStage::Plan:
    case DumpStage::Ir:
    case DumpStage::IrOpt:
    case DumpStage::Asm:
    case DumpStage::Object: break;
  }
  bool is_read = stage == DumpStage::Ir || stage == DumpStage::IrOpt || stage == DumpStage::Asm;
  IrModule ir = lower(compilation.sources, compilation.meaning, compiled, {.debug_info = is_read});
  ProgramPlan plan = compiled.plan;
  complete_plan(plan, ir, compiled.layout.scratch_groups);
  if (stage == DumpStage::Plan)
    return plan.options.text(OptionId::Format) == "json" ? plan_as_json(plan) : dump_plan(plan);
  if (stage == DumpStage::Ir) {
    std::string problem = verify_ir(ir);
    return print_readable_ir(ir, detail) + (problem.empty() ? "" : "; not well-formed: " + problem + "\n");
  }
  DS_TRY_VOID(optimize(ir, is_v4, default_effort(ir)));
  if (stage == DumpStage::IrOpt) return print_readable_ir(ir, detail);
  if (stage == DumpStage::Asm) return readable_assembly(ir, is_v4, detail);
  DS_TRY(BpfObject object, emit_object(ir, is_v4));
  return std::string(object.bytes.begin(), object.bytes.end());
}

std::string colored_dump(std::string_view text) {
  Palette palette({.has_colors = true});
  return colored_lines(text, [&](std::string_view line) {
    size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    size_t comment = std::min(line.find("  ; preds"), line.size());
    std::string_view color;
    if (line.substr(first).starts_with("; ")) color = palette.hint;
    else if (first == 0 && (line.ends_with(":") || comment != line.size() || line.starts_with("define ")))
      color = palette.bold;
    return in_color(palette, color, line.substr(0, comment)) + in_color(palette, palette.dim, line.substr(comment));
  });
}

std::string colored_summary(std::string_view text) {
  Palette palette({.has_colors = true});
  return colored_lines(text, [&](std::string_view line) {
    size_t heading = line.starts_with(' ') ? 0 : std::min(line.find(' '), line.size());
    bool is_warning = line.starts_with("destructive ") && !line.ends_with(" nothing");
    return in_color(palette, palette.bold, line.substr(0, heading)) +
           in_color(palette, is_warning ? palette.mark : "", line.substr(heading));
  });
}

}  // namespace dscope
