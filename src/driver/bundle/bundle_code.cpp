#include "driver/bundle/bundle_code.h"

#include <algorithm>
#include <optional>

#include "frontend/machine/machine_values.h"
#include "runtime/load/late_binder.h"
#include "support/format.h"

namespace dscope {

namespace {

// Fails if a value that decided what code to emit is another one here.
Result<> check_fixed_values(const BundledCode& code, const MachineValues& values) {
  size_t next = 0;
  for (uint32_t index : code.results.late.fixed_values) {
    uint64_t built = code.fixed_values[next++], here = values.values()[index].value;
    if (built != here)
      return fail(Error::make("the code of the bundle depends on {}: it was built for {}, but {} is {} here",
                              values.values()[index].name, static_cast<int64_t>(built), values.values()[index].name,
                              static_cast<int64_t>(here))
                      .hint("build the bundle with the arguments of the run: dscope --build=FILE ... ARGUMENTS"));
  }
  return {};
}

Result<BpfObject> bind_code(const BundledCode& code, const MachineValues& values, const CompiledPlan& compiled) {
  // Equal shapes have equal numbers of values, but the bundle comes from someone else.
  if (values.values().size() != code.value_names.size())
    return fail(Error("the bundle is damaged: it has other values"));
  DS_TRY_VOID(check_fixed_values(code, values));
  LateContent content;
  for (const std::vector<uint32_t>& terms : code.results.late.numbers) {
    uint64_t& sum = content.numbers.emplace_back(0);
    for (uint32_t index : terms) sum += values.values()[index].value;
  }
  for (const MachineTableId& id : code.results.late.tables) {
    bool is_text = id.kind == MachineTable::MacroText;
    bool is_known = is_text ? id.detail < values.texts().size() : id.program < compiled.layout.programs.size();
    if (!is_known) return fail(Error("the bundle is damaged: it refers to an unknown table"));
    content.tables.push_back(is_text ? values.texts()[id.detail]
                                     : machine_table(id, compiled, TableSize::Portable).bytes);
  }
  return bind_late_code(code.object, content);
}

// The first difference, by the name of the expression if it has one: "struct mount * s_mounts".
Error no_code(const BundledCode& nearest, const MachineValues& values) {
  size_t equal = equal_lines(nearest.shape, values.shape());
  std::string_view line = equal < values.shape().size() ? std::string_view(values.shape()[equal]) : "";
  size_t remark = line.find(shape_remark);
  std::string place = remark == line.npos ? "" : fmt::format(" at {}", line.substr(remark + shape_remark.size()));
  return Error::make("the bundle has no code for this machine, which differs in more than numbers{}", place)
      .hint(fmt::format(
          "build the bundle for this machine, too: dscope --build=FILE --facts=FACTS, with FACTS from dscope "
          "--save-facts (it was built for {})",
          shape_difference(nearest.shape, values.shape())));
}

}  // namespace

Result<BpfObject> bind_code(const BundledCode& code, const Compilation& compilation) {
  return bind_code(code, machine_values(compilation.meaning, compilation.compiled), compilation.compiled);
}

Result<GeneratedCode> BundleCode::generate(const Compilation& compilation, CodeForm form) {
  const CompiledPlan& compiled = compilation.compiled;
  MachineValues values = machine_values(compilation.meaning, compiled);
  // The code whose shape agrees with this machine's for longest explains best why none fits.
  const BundledCode* nearest = nullptr;
  size_t longest = 0;
  for (const BundledCode& code : bundle_.codes) {
    if (code.form != static_cast<uint32_t>(form)) continue;
    size_t agreed = equal_lines(code.shape, values.shape());
    if (agreed == code.shape.size() && agreed == values.shape().size()) {
      GeneratedCode result{.plan = compiled.plan, .object = {}, .form = form};
      DS_TRY(result.object, bind_code(code, values, compiled));
      for (size_t index : code.results.sleeping_programs)
        if (index >= result.plan.programs.size()) return fail(Error("the bundle is damaged: it has other programs"));
      complete_plan(result.plan, code.results, compiled.layout.scratch_groups);
      return result;
    }
    if (nearest == nullptr || agreed > longest) nearest = &code;
    longest = std::max(longest, agreed);
  }
  if (nearest == nullptr) return fail(Error("the bundle has no such code"));
  return fail(no_code(*nearest, values));
}

}  // namespace dscope
