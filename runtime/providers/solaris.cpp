// System calls under the names and with the arguments they have on Solaris, for option compat=solaris: one probe for
// all the Linux calls that do the work of one there. Made of sys_enter and sys_exit, as the probes of derived.cpp.
#include <algorithm>
#include <vector>

#include "runtime/providers/provider.h"
#include "support/format.h"

namespace dscope {
namespace {

struct LinuxCall {
  int number;
  std::string_view condition, registers;
};
struct SolarisCall {
  std::string_view names;
  std::vector<LinuxCall> calls;
};

const std::vector<SolarisCall>& solaris_calls() {
#define DS_SOLARIS_CALL(names, ...) {names, {__VA_ARGS__}},
  static const std::vector<SolarisCall> rows = {
#include "runtime/providers/solaris_calls.def"
  };
#undef DS_SOLARIS_CALL
  return rows;
}

constexpr std::string_view entry = "entry", exit = "return";
constexpr size_t most_arguments = 6;

std::string_view take_word(std::string_view& rest) {
  std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  return word;
}

const SolarisCall* find_call(std::string_view function) {
  for (const SolarisCall& row : solaris_calls())
    for (std::string_view rest = row.names; !rest.empty();)
      if (take_word(rest) == function) return &row;
  return nullptr;
}

// `number`: an expression in D for the number of the call that is made.
std::string condition_of(const SolarisCall& call, std::string_view number) {
  std::string text;
  for (const LinuxCall& each : call.calls) {
    text += fmt::format("{}({} == {}", text.empty() ? "" : " || ", number, each.number);
    text += each.condition.empty() ? std::string{")"} : fmt::format(" && {})", each.condition);
  }
  return text;
}

// The argument of that place, whichever of the calls it is.
std::string argument_of(const SolarisCall& call, size_t place) {
  std::string text = "0";
  for (auto each = call.calls.rbegin(); each != call.calls.rend(); ++each) {
    std::string_view rest = each->registers, name;
    for (size_t i = 0; i <= place; ++i) name = take_word(rest);
    std::string value = name.empty() || name == "-" ? "0" : fmt::format("args[0]->{}", name);
    text = each == call.calls.rbegin() ? value : fmt::format("args[1] == {} ? {} : {}", each->number, value, text);
  }
  return fmt::format("(uintptr_t)({})", text);
}

std::string entry_clause(const SolarisCall& call) {
  std::string text = fmt::format("rawtp:::sys_enter /{}/ {{", condition_of(call, "args[1]"));
  for (size_t i = 0; i < most_arguments; ++i) text += fmt::format(" {};", argument_of(call, i));
  return text + " }";
}

// Solaris says -1 of calls that failed.
std::string return_clause(const SolarisCall& call) {
  constexpr std::string_view value = "args[1] < 0 ? -1 : args[1];";
  return fmt::format("rawtp:::sys_exit /{}/ {{ {} {} }}", condition_of(call, "(int64_t)args[0]->orig_ax"), value,
                     value);
}

class SolarisCallProvider final : public Provider {
 public:
  std::string_view name() const override { return "syscall"; }

  bool could_match(const ProbeDescription& description) const override { return is_solaris_call(description); }

  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}

  std::vector<Probe> create_all(const ProbeDescription& description) override {
    std::vector<Probe> probes;
    const SolarisCall* call = find_call(description.function);
    for (std::string_view each : {entry, exit}) {
      if (!field_matches(description.name, each)) continue;
      Probe probe{.provider = std::string{name()},
                  .module = "vmlinux",
                  .function = description.function,
                  .name = std::string{each},
                  .has_typed_args = true};
      probe.derivations.push_back({.clause = each == entry ? entry_clause(*call) : return_clause(*call)});
      probes.push_back(std::move(probe));
    }
    return probes;
  }
  bool means_created(const ProbeDescription& description) const override { return is_solaris_call(description); }

  void load_args(Probe& probe, TypeTable& types) override {
    bool is_entry = probe.name == entry;
    for (size_t i = 0; i < (is_entry ? most_arguments : 2); ++i)
      probe.args.push_back({.type_text = is_entry ? "uintptr_t" : "long",
                            .type = types.integer(8, !is_entry),
                            .name = {},
                            .source = {}});
  }
};

}  // namespace

bool is_solaris_call(const ProbeDescription& description) {
  return description.means_solaris && description.provider == "syscall" &&
         field_matches(description.module, "vmlinux") && is_literal(description.function) &&
         (field_matches(description.name, entry) || field_matches(description.name, exit)) &&
         find_call(description.function) != nullptr;
}

std::unique_ptr<Provider> make_solaris_call_provider() { return std::make_unique<SolarisCallProvider>(); }

}  // namespace dscope
