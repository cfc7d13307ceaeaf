#include "frontend/machine/process_macros.h"

#include <algorithm>
#include <array>
#include <set>

#include "frontend/semantics/walk.h"
#include "support/text/words.h"

namespace dscope {

namespace {

// The number of words $pid and the like in a text, also in comments and strings.
size_t count_uses(std::string_view text) {
  size_t count = 0;
  for (size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    size_t end = at + 1;
    while (end < text.size() && is_word_char(text[end])) ++end;
    count += is_process_variable(text.substr(at + 1, end - at - 1)) ? 1 : 0;
  }
  return count;
}

// Whether the call records its arguments as they are. Other calls may derive sizes and bounds of the plan from them.
bool only_records(const ExprInfo& call) {
  const auto* action = std::get_if<Action>(&call.binding);
  return action != nullptr && (*action == Action::Printf || *action == Action::Trace);
}

}  // namespace

bool is_process_variable(std::string_view name) {
  constexpr std::array<std::string_view, 4> variables = {"pid", "ppid", "pgid", "sid"};
  return std::ranges::find(variables, name) != variables.end();
}

class ProcessMacroCollector {
 public:
  static std::optional<MachineValues> collect(const SourceSet& sources, const std::vector<UnitId>& units,
                                              const Semantics& meaning) {
    MachineValues out;
    size_t uses = 0;
    for (UnitId unit : units) uses += count_uses(sources.unit(unit).text);
    if (uses == 0) return out;
    std::set<uint32_t> found;            // positions
    std::set<const Expr*> decides_plan;  // arguments such as the size in substr(s, 0, $pid)
    walk_program(meaning, [&](const Expr& expr, const ClauseInstance& clause) {
      if (const auto* call = std::get_if<Call>(&expr.form);
          call != nullptr && !only_records(meaning.info(clause, expr)))
        decides_plan.insert(call->arguments.begin(), call->arguments.end());
      const auto* literal = std::get_if<IntLiteral>(&expr.form);
      if (literal == nullptr || !literal->is_macro || decides_plan.contains(&expr)) return;
      std::string name(sources.text(expr.at.range));
      if (!name.starts_with('$') || !is_process_variable(std::string_view(name).substr(1))) return;
      const ExprInfo& info = meaning.info(clause, expr);
      found.insert(expr.at.range.begin);
      auto index = static_cast<uint32_t>(out.values_.size());
      if (!out.index_.try_emplace(&info, index).second) return;
      out.values_.push_back({.name = std::move(name), .value = info.constant.value_or(literal->value)});
    });
    return found.size() == uses ? std::optional(std::move(out)) : std::nullopt;
  }
};

std::optional<MachineValues> process_macros(const SourceSet& sources, const std::vector<UnitId>& units,
                                            const Semantics& meaning) {
  return ProcessMacroCollector::collect(sources, units, meaning);
}

}  // namespace dscope
