#include "driver/replay/recorded_uses.h"

#include <algorithm>
#include <optional>

#include "catalog/catalog.h"
#include "contract/machine_state.h"
#include "contract/threads.h"
#include "frontend/semantics/walk.h"

namespace dscope {

namespace {

// The missing part, and the word of option `record` that keeps it; empty: nothing keeps it.
struct Lack {
  std::string_view what, word;
};

constexpr Lack kernel_objects{"kernel objects", ""};
constexpr Lack parents{"parents of processes", ""};
constexpr Lack stacks{"stacks", "stacks"};
constexpr Lack user_memory{"user memory", "strings"};

class RecordedUses {
 public:
  RecordedUses(Compilation& compilation, const CaptureInfo& info, bool follows_goroutines)
      : compilation_(compilation), info_(info), follows_goroutines_(follows_goroutines) {}

  void check(const Expr& expr, const Binding& binding) {
    if (const auto* variable = std::get_if<BuiltinVariable>(&binding)) {
      std::string_view name = row(*variable).name;
      if (!knows(name))
        compilation_.diagnostics.error(Tag::D_IDENT_BADREF, expr.at,
                                       "{} is not in the capture: {} files do not hold it", name, info_.source);
      else report(expr, name, lack_of(*variable));
    } else if (const auto* subroutine = std::get_if<Subroutine>(&binding)) {
      if (row(*subroutine).effect == SubroutineEffect::Destructive) return refuse(expr, row(*subroutine).name);
      report(expr, row(*subroutine).name, lack_of(*subroutine));
    } else if (const auto* action = std::get_if<Action>(&binding)) {
      bool changes_processes = row(*action).context == FiringContext::Thread || *action == Action::Chill;
      if (row(*action).effect == ActionEffect::Destructive && changes_processes) return refuse(expr, row(*action).name);
      report(expr, row(*action).name, lack_of(*action));
    } else if (const auto* id = std::get_if<VariableId>(&binding)) {
      const Variable& declared = compilation_.meaning.variables[id->index];
      if (declared.name == machine_variable)
        compilation_.diagnostics.error(Tag::D_IDENT_BADREF, expr.at,
                                       "a capture holds no load averages and no memory use");
      if (declared.scope != VariableScope::Self || !follows_goroutines_) return;
      compilation_.diagnostics.error(Tag::D_IDENT_BADREF, expr.at,
                                     "self-> variables cannot follow goroutines in a replay: a capture holds threads");
      compilation_.diagnostics.hint("-x threads=kernel lets them follow the kernel's threads");
    } else if (std::holds_alternative<UserRegister>(binding)) {
      report(expr, "uregs[]", Lack{"registers", ""});
    }
  }

 private:
  bool has_kernel_stacks() const { return info_.has(CapturePart::Stacks) && info_.stack_frames != 0; }
  bool has_user_stacks() const { return info_.has(CapturePart::Stacks) && info_.user_stack_frames != 0; }

  bool knows(std::string_view variable) const { return std::ranges::count(info_.missing_variables, variable) == 0; }

  std::optional<Lack> lack_of(BuiltinVariable variable) const {
    switch (variable) {
      case BuiltinVariable::Curthread: return kernel_objects;
      case BuiltinVariable::Vtimestamp: return Lack{"the CPU time of threads", ""};
      case BuiltinVariable::Caller:
      case BuiltinVariable::Stackdepth: return has_kernel_stacks() ? std::nullopt : std::optional(stacks);
      case BuiltinVariable::Ucaller:
      case BuiltinVariable::Ustackdepth: return has_user_stacks() ? std::nullopt : std::optional(stacks);
      default: return std::nullopt;
    }
  }

  std::optional<Lack> lack_of(Subroutine subroutine) const {
    const SubroutineRow& known = row(subroutine);
    if (known.context == FiringContext::UserMemory && !info_.has(CapturePart::Strings)) return user_memory;
    switch (known.machine_part) {
      case MachinePart::Nothing:
      case MachinePart::CpuTable:
      case MachinePart::DriverTable: return std::nullopt;
      case MachinePart::TaskParents: return knows("ppid") ? std::nullopt : std::optional(parents);
      default: return kernel_objects;
    }
  }

  std::optional<Lack> lack_of(Action action) const {
    switch (action) {
      case Action::Stack: return has_kernel_stacks() ? std::nullopt : std::optional(stacks);
      case Action::Ustack:
      case Action::Jstack: return has_user_stacks() ? std::nullopt : std::optional(stacks);
      case Action::Pcap: return Lack{"packets", ""};
      default: return std::nullopt;
    }
  }

  void report(const Expr& expr, std::string_view name, const std::optional<Lack>& lack) {
    if (!lack) return;
    compilation_.diagnostics.error(Tag::D_IDENT_BADREF, expr.at, "{} is not in the capture: it holds no {}", name,
                                   lack->what);
    if (!info_.source.empty()) {
      if (lack->word == stacks.word && info_.source == "perf.data")
        compilation_.diagnostics.hint(
            "`perf record -g` keeps them; --call-graph dwarf keeps copies of user stacks, which dscope does not "
            "unwind");
    } else if (!lack->word.empty())
      compilation_.diagnostics.hint(fmt::format("dscope --record=FILE -x record=args,strings,{} keeps it", lack->word));
  }

  void refuse(const Expr& expr, std::string_view name) {
    compilation_.diagnostics.error(Tag::D_IDENT_BADREF, expr.at,
                                   "{}() acts on processes and cannot be replayed: a capture has none", name);
  }

  Compilation& compilation_;
  const CaptureInfo& info_;
  bool follows_goroutines_;
};

}  // namespace

void check_recorded_uses(Compilation& compilation, const CaptureInfo& info, const OptionValues& options) {
  RecordedUses uses{compilation, info, follows_goroutines(options)};
  const Semantics& meaning = compilation.meaning;
  walk_program(meaning, [&](const Expr& expr, const ClauseInstance& clause) {
    uses.check(expr, meaning.info(clause, expr).binding);
  });
}

}  // namespace dscope
