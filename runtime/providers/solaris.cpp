// System calls under the names and with the arguments they have on Solaris, for option compat=solaris: one probe for
// all the Linux calls that do the work of one there. Made of sys_enter and sys_exit, as the probes of derived.cpp.
#include <algorithm>
#include <deque>
#include <vector>

#include "contract/solaris.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/glob.h"

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

bool has_name(const SolarisCall& row, std::string_view pattern) {
  for (std::string_view rest = row.names; !rest.empty();)
    if (glob_matches(pattern, take_word(rest))) return true;
  return false;
}

// What a row does in this run. Many scripts name all the calls that open files (open, open64, openat) and expect each
// opening once: a call of Linux belongs to the first that a script names, its other names are there and stay silent.
struct Claim {
  const SolarisCall* row;
  std::string name;
  struct Part {
    int number;
    std::string condition;
    std::string_view registers;
  };
  std::vector<Part> parts;
};

// `number`: an expression in D for the number of the call that is made.
std::string condition_of(const Claim& claim, std::string_view number) {
  std::string text;
  for (const Claim::Part& each : claim.parts) {
    text += fmt::format("{}({} == {}", text.empty() ? "" : " || ", number, each.number);
    text += each.condition.empty() ? std::string{")"} : fmt::format(" && {})", each.condition);
  }
  return text;
}

// The argument of that place, whichever of the calls it is.
std::string argument_of(const Claim& claim, size_t place) {
  std::string text = "0";
  for (auto each = claim.parts.rbegin(); each != claim.parts.rend(); ++each) {
    std::string_view rest = each->registers, name;
    for (size_t i = 0; i <= place; ++i) name = take_word(rest);
    std::string value = name.empty() || name == "-" ? "0" : fmt::format("args[0]->{}", name);
    text = each == claim.parts.rbegin() ? value : fmt::format("args[1] == {} ? {} : {}", each->number, value, text);
  }
  return fmt::format("(uintptr_t)({})", text);
}

std::string entry_clause(const Claim& claim) {
  std::string text = fmt::format("rawtp:::sys_enter /{}/ {{", condition_of(claim, "args[1]"));
  for (size_t i = 0; i < most_arguments; ++i) text += fmt::format(" {};", argument_of(claim, i));
  return text + " }";
}

// Solaris says -1 of calls that failed.
std::string return_clause(const Claim& claim) {
  constexpr std::string_view value = "args[1] < 0 ? -1 : args[1];";
  return fmt::format("rawtp:::sys_exit /{}/ {{ {} {} }}", condition_of(claim, "(int64_t)args[0]->orig_ax"), value,
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
    for (const SolarisCall& row : solaris_calls()) {
      if (!has_name(row, description.function)) continue;
      for (std::string_view each : {entry, exit})
        if (field_matches(description.name, each)) add_probe(row, description.function, each, probes);
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

 private:
  void add_probe(const SolarisCall& row, const std::string& pattern, std::string_view name,
                 std::vector<Probe>& probes) {
    const Claim& claim = claim_of(row, pattern, name == entry ? entry_claims_ : return_claims_);
    bool is_its_name = glob_matches(pattern, claim.name);
    if (!is_its_name && !is_literal(pattern)) return;
    Probe probe{.provider = "syscall",
                .module = "vmlinux",
                .function = is_its_name ? claim.name : pattern,
                .name = std::string{name},
                .has_typed_args = true};
    bool is_silent = !is_its_name || claim.parts.empty();
    std::string clause{row.calls.empty() ? unfired_clause : silent_clause};
    if (!is_silent) clause = name == entry ? entry_clause(claim) : return_clause(claim);
    probe.derivations.push_back({.clause = std::move(clause)});
    probes.push_back(std::move(probe));
  }

  static const Claim& claim_of(const SolarisCall& row, std::string_view pattern, std::deque<Claim>& claims) {
    auto known = std::ranges::find_if(claims, [&](const Claim& claim) { return claim.row == &row; });
    if (known != claims.end()) return *known;
    Claim claim{.row = &row, .name = {}, .parts = {}};
    for (std::string_view rest = row.names; claim.name.empty();)
      if (std::string_view word = take_word(rest); glob_matches(pattern, word)) claim.name = word;
    for (const LinuxCall& call : row.calls) add_part(claim, call, claims);
    claims.push_back(std::move(claim));
    return claims.back();
  }

  // The part of that call that no earlier claim has.
  static void add_part(Claim& claim, const LinuxCall& call, const std::deque<Claim>& claims) {
    std::string condition{call.condition};
    for (const Claim& earlier : claims)
      for (const Claim::Part& part : earlier.parts) {
        if (part.number != call.number) continue;
        if (part.condition.empty()) return;
        condition += fmt::format("{}!({})", condition.empty() ? "" : " && ", part.condition);
      }
    claim.parts.push_back({call.number, std::move(condition), call.registers});
  }

  std::deque<Claim> entry_claims_, return_claims_;
};

}  // namespace

bool is_solaris_call(const ProbeDescription& description) {
  const std::string& function = description.function;
  return description.means_solaris && description.provider == "syscall" &&
         field_matches(description.module, "vmlinux") && function.find_first_not_of("*?") != std::string::npos &&
         (field_matches(description.name, entry) || field_matches(description.name, exit)) &&
         std::ranges::any_of(solaris_calls(), [&](const SolarisCall& row) { return has_name(row, function); });
}

void leave_out_linux_calls(std::vector<const Probe*>& found) {
  auto is_covered = [&](uint32_t number, const std::string& name) {
    return std::ranges::any_of(found, [&](const Probe* probe) {
      if (probe->provider != "syscall" || probe->derivations.empty() || probe->name != name) return false;
      return std::ranges::any_of(solaris_calls(), [&](const SolarisCall& row) {
        return has_name(row, probe->function) && std::ranges::any_of(row.calls, [&](const LinuxCall& call) {
                 return call.number >= 0 && static_cast<uint32_t>(call.number) == number;
               });
      });
    });
  };
  std::vector<const Probe*> rest;
  for (const Probe* probe : found) {
    const auto* call = std::get_if<HookSyscall>(&probe->hook);
    if (call == nullptr || !is_covered(call->number, probe->name)) rest.push_back(probe);
  }
  found = std::move(rest);
}

std::unique_ptr<Provider> make_solaris_call_provider() { return std::make_unique<SolarisCallProvider>(); }

}  // namespace dscope
