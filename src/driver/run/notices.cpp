#include "driver/run/notices.h"

#include <algorithm>

#include "driver/run/messages.h"
#include "support/print_message.h"

namespace dscope {

namespace {

// Returns ", and 1 description may match later". Test suites that compare messages expect the classic notice.
std::string awaited_text(size_t count) {
  if (count == 0 || is_testing()) return "";
  return fmt::format(", and {} description{} may match later", count, count == 1 ? "" : "s");
}

// The consumer itself stores aggregations whose keys are stacks that it unwinds. It cannot do so with buffer policies
// that discard records; such keys fall back to frame pointers.
void print_unwinding_notice(const CommandLine& command_line, const ProgramPlan& plan) {
  if (plan.options.text(OptionId::Ustackunwind) != "dwarf") return;
  auto has_stack = [](const AggregationPlan& aggregation) {
    return !aggregation.is_recorded &&
           std::ranges::any_of(aggregation.keys, [](const Field& key) { return key.kind == FieldKind::UserStack; });
  };
  auto found = std::ranges::find_if(plan.aggregations, has_stack);
  if (found == plan.aggregations.end()) return;
  print_message(
      "{}: ustackunwind=dwarf does not apply to aggregation keys with bufpolicy={}: ustack() in @{}[] follows frame "
      "pointers\n",
      command_line.program_name, plan.options.text(OptionId::Bufpolicy), found->name == "_" ? "" : found->name);
}

}  // namespace

void print_notices(const CommandLine& command_line, const ProgramPlan& plan, const Notices& notices,
                   OutputStream& out) {
  for (size_t i = 0; i < plan.units.size(); ++i) {
    const UnitPlan& unit = plan.units[i];
    size_t awaited = i < notices.awaited.size() ? notices.awaited[i] : 0;
    if (!plan.options.is_on(OptionId::Quiet))
      // The name of a program on the command line is its text, which may have several lines.
      print_text(fmt::format("{}: {} '{}' matched {} probe{}{}\n", command_line.program_name,
                             unit.is_script ? "script" : "description", visible_text(unit.name), unit.matched,
                             unit.matched == 1 ? "" : "s", awaited_text(awaited)));
    if (i < notices.reports.size()) out.write(notices.reports[i]);
    out.flush();
  }
  print_unwinding_notice(command_line, plan);
  for (const std::string& line : notices.lines) print_message("{}: {}\n", command_line.program_name, line);
}

}  // namespace dscope
