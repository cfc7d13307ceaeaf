// System calls by the names and with the arguments that they have on Solaris, for option compat=solaris: one probe for
// all Linux calls that do the work of one Solaris call.
//
// A call has one name in a script, in all clauses including those with patterns: its Linux name (openat, newfstatat) if
// a clause names only that; else the first of its Solaris names that the script spells out, preferring those spelled
// out for both entry and return; else the first that a pattern other than * matches; else the first in the table
// (open).
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "runtime/kernel/machine_record.h"
#include "runtime/providers/provider.h"
#include "runtime/providers/solaris/stub.h"
#include "runtime/providers/system_call.h"
#include "support/format.h"
#include "support/text/glob.h"
#include "support/text/word_list.h"

namespace dscope {
namespace {

constexpr uint64_t any_bit = ~uint64_t{0};
constexpr size_t max_arguments = 6;

constexpr uint8_t argument_in(std::string_view name) {
  constexpr std::string_view registers[] = {"di", "si", "dx", "r10", "r8", "r9"};
  for (uint8_t i = 0; i < max_arguments; ++i)
    if (registers[i] == name) return i;
  return HookSyscall::no_argument;
}

constexpr SyscallCondition with(std::string_view name, uint64_t bits) {
  return {.argument = argument_in(name), .bits = bits};
}
constexpr SyscallCondition without(std::string_view name, uint64_t bits) {
  return {.argument = argument_in(name), .bits = bits, .has_some = false};
}
constexpr SyscallCondition with_in_memory(std::string_view name, uint64_t bits) {
  return {.argument = argument_in(name), .is_in_memory = true, .bits = bits};
}
constexpr SyscallCondition without_in_memory(std::string_view name, uint64_t bits) {
  return {.argument = argument_in(name), .is_in_memory = true, .bits = bits, .has_some = false};
}

// The internal number of a call that only 32-bit programs have.
constexpr uint32_t i386(uint32_t number) { return HookSyscall::first_compat_number + number; }

struct LinuxCall {
  uint32_t number;
  std::string_view registers;
  std::optional<SyscallCondition> condition;
};
struct SolarisCall {
  std::string_view names;
  std::vector<LinuxCall> calls;
};

// Replaces the numbers of x86-64 by those of the calls with the same names, and drops calls that there are not.
std::vector<SolarisCall> for_this_processor(std::vector<SolarisCall> rows) {
  const Architecture& architecture = traced_architecture();
  if (&architecture == &x86_64) return rows;
  for (SolarisCall& row : rows) {
    std::vector<LinuxCall> calls;
    for (LinuxCall& call : row.calls) {
      const SystemCall* same = find_system_call(x86_64, call.number);
      const SystemCall* own = same != nullptr ? find_system_call(architecture, same->name) : nullptr;
      if (own == nullptr) continue;
      call.number = own->number;
      calls.push_back(call);
    }
    row.calls = std::move(calls);
  }
  return rows;
}

const std::vector<SolarisCall>& solaris_calls() {
#define DS_SOLARIS_CALL(names, ...) {names, {__VA_ARGS__}},
  static const std::vector<SolarisCall> rows = for_this_processor({
#include "runtime/providers/solaris/solaris_calls.def"
  });
#undef DS_SOLARIS_CALL
  return rows;
}

constexpr std::string_view entry = "entry", exit = "return";

// The first of the names that the pattern matches; empty if there is none.
std::string_view first_match(const std::vector<std::string_view>& names, std::string_view pattern) {
  auto found = std::ranges::find_if(names, [&](std::string_view name) { return field_matches(pattern, name); });
  return found == names.end() ? std::string_view{} : *found;
}

bool is_name_of_solaris(std::string_view name) {
  return std::ranges::any_of(solaris_calls(), [&](const SolarisCall& row) { return has_word(row.names, name); });
}

// True for "", "*", "**": patterns that match every call.
bool matches_every_call(std::string_view pattern) { return pattern.find_first_not_of("*?") == std::string_view::npos; }

bool matches_calls(const ProbeDescription& description) {
  return description.dialect.has_solaris_system_calls() && field_matches(description.provider, "syscall") &&
         field_matches(description.module, "vmlinux") &&
         (field_matches(description.name, entry) || field_matches(description.name, exit));
}

std::vector<uint8_t> order_of(std::string_view registers) {
  std::vector<uint8_t> order;
  for (std::string_view each : words_of(registers)) order.push_back(argument_in(each));
  order.resize(max_arguments, HookSyscall::no_argument);
  return order;
}

// An interpretation of a Linux call in a script: as a Solaris call or, without a row, as itself.
struct Candidate {
  const SolarisCall* row;
  const LinuxCall* call;
  std::vector<std::string_view> names;
  bool is_own = false;  // under a name that the call has on Linux

  bool is_matched_by(const std::string& pattern) const { return !first_match(names, pattern).empty(); }
};

// The chosen interpretation of a Linux call, or of the part of its invocations that meets the conditions.
struct Part {
  Candidate candidate;
  std::vector<SyscallCondition> conditions;
};

// False if the conditions contradict each other.
bool can_hold(const std::vector<SyscallCondition>& conditions) {
  auto is_excluded = [&](const SyscallCondition& one) {
    uint64_t bits = one.has_some ? one.bits : 0;
    for (const SyscallCondition& other : conditions)
      if (!other.has_some && other.argument == one.argument && other.is_in_memory == one.is_in_memory)
        bits &= ~other.bits;
    return one.has_some && bits == 0;
  };
  return std::ranges::none_of(conditions, is_excluded);
}

// A description in a clause.
struct Use {
  std::string function;
  bool of_entry = false, of_return = false;
};

std::vector<Candidate> candidates_of(uint32_t number) {
  std::vector<std::string_view> own = names_of_system_call(number);
  std::vector<Candidate> candidates;
  for (const SolarisCall& row : solaris_calls())
    for (const LinuxCall& call : row.calls) {
      if (call.number != number) continue;
      bool is_own = std::ranges::any_of(own, [&](std::string_view name) { return has_word(row.names, name); });
      candidates.push_back({.row = &row, .call = &call, .names = words_of(row.names), .is_own = is_own});
    }
  std::erase_if(own, is_name_of_solaris);  // such a name has its Solaris meaning
  if (!own.empty()) candidates.push_back({.row = nullptr, .call = nullptr, .names = std::move(own), .is_own = true});
  return candidates;
}

// Chooses the interpretation of each Linux call from the names that the clauses use.
class CallNames {
 public:
  void use(std::vector<std::vector<Use>> clauses) {
    clauses_ = std::move(clauses);
    parts_.clear();
  }

  // The parts of Linux calls that are interpreted as the Solaris call.
  std::vector<std::pair<uint32_t, const Part*>> parts_of(const SolarisCall& row) const {
    std::vector<std::pair<uint32_t, const Part*>> found;
    for (const auto& [number, parts] : all_parts())
      for (const Part& part : parts)
        if (part.candidate.row == &row) found.emplace_back(number, &part);
    return found;
  }

  // True if no part of the call keeps its Linux name.
  bool is_renamed(uint32_t number) const {
    auto parts = all_parts().find(number);
    return parts != all_parts().end() &&
           std::ranges::none_of(parts->second, [](const Part& part) { return part.candidate.row == nullptr; });
  }

  std::string_view name_of(const SolarisCall& row) const {
    std::vector<std::string_view> names = words_of(row.names);
    return *std::ranges::min_element(names, {}, [&](std::string_view name) { return rank_of(name); });
  }

 private:
  // By number, for all calls of the table; computed on demand because most scripts do not need it.
  const std::map<uint32_t, std::vector<Part>>& all_parts() const {
    if (!parts_.empty()) return parts_;
    for (const SolarisCall& row : solaris_calls())
      for (const LinuxCall& call : row.calls)
        if (!parts_.contains(call.number)) parts_[call.number] = parts_of(call.number);
    return parts_;
  }

  std::vector<Part> parts_of(uint32_t number) const {
    std::vector<Candidate> candidates = candidates_of(number);
    std::map<const SolarisCall*, size_t> ranks;
    for (const Candidate& each : candidates) ranks[each.row] = rank_of(each, candidates);
    std::ranges::stable_sort(candidates, {}, [&](const Candidate& each) { return ranks[each.row]; });
    std::vector<Part> parts;
    std::vector<SyscallCondition> others;  // negated conditions of the preceding candidates
    for (Candidate& each : candidates) {
      std::vector<SyscallCondition> conditions = others;
      bool is_rest = each.row == nullptr || !each.call->condition;
      if (!is_rest) {
        conditions.push_back(*each.call->condition);
        others.push_back(*each.call->condition);
        others.back().has_some = !others.back().has_some;
      }
      if (can_hold(conditions)) parts.push_back({.candidate = std::move(each), .conditions = std::move(conditions)});
      if (is_rest) break;
    }
    return parts;
  }

  // Candidates with a lower rank come first; those that no clause uses keep the order of the table.
  size_t rank_of(const Candidate& candidate, const std::vector<Candidate>& all) const {
    if (candidate.is_own && is_used_alone(candidate, all)) return 0;
    size_t rank = std::numeric_limits<size_t>::max();
    for (std::string_view name : candidate.names) rank = std::min(rank, rank_of(name));
    return rank;
  }

  bool is_used_alone(const Candidate& candidate, const std::vector<Candidate>& all) const {
    return std::ranges::any_of(clauses_, [&](const std::vector<Use>& clause) {
      std::set<const SolarisCall*> used;
      for (const Use& use : clause)
        for (const Candidate& each : all)
          if (each.is_matched_by(use.function)) used.insert(each.row);
      return used == std::set{candidate.row};
    });
  }

  size_t rank_of(std::string_view name) const {
    size_t position = 0, spelled_out = 0, matched = 0;
    bool of_entry = false, of_return = false;
    for (const std::vector<Use>& clause : clauses_)
      for (const Use& use : clause) {
        ++position;
        if (!field_matches(use.function, name)) continue;
        of_entry |= use.of_entry;
        of_return |= use.of_return;
        size_t& first = is_literal(use.function) ? spelled_out : matched;
        if (first == 0) first = position;
      }
    constexpr size_t max_uses = size_t{1} << 32;
    if (spelled_out != 0) return of_entry && of_return ? spelled_out : max_uses + spelled_out;
    return matched != 0 ? 2 * max_uses + matched : std::numeric_limits<size_t>::max();
  }

  std::vector<std::vector<Use>> clauses_;
  mutable std::map<uint32_t, std::vector<Part>> parts_;
};

class SolarisCallProvider final : public Provider {
 public:
  std::string_view name() const override { return "syscall"; }

  bool could_match(const ProbeDescription& description) const override { return matches_calls(description); }

  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}

  void announce(const std::vector<std::vector<ProbeDescription>>& clauses) override {
    std::vector<std::vector<Use>> uses;
    for (const std::vector<ProbeDescription>& clause : clauses) {
      uses.emplace_back();
      for (const ProbeDescription& each : clause)
        if (matches_calls(each) && !matches_every_call(each.function))
          uses.back().push_back({.function = each.function,
                                 .of_entry = field_matches(each.name, entry),
                                 .of_return = field_matches(each.name, exit)});
    }
    names_.use(std::move(uses));
  }

  std::vector<Probe> create_all(const ProbeDescription& description) override {
    std::vector<Probe> probes;
    for (std::string_view each : {entry, exit}) {
      if (!field_matches(description.name, each)) continue;
      for (const SolarisCall& row : solaris_calls()) add_probe(row, description.function, each, probes);
      if (is_literal(description.function) && !is_name_of_solaris(description.function))
        add_stub_of_linux_call(description.function, each, probes);
    }
    return probes;
  }
  bool accepts_created(const ProbeDescription& description) const override { return matches_calls(description); }
  bool adds_to_published(const ProbeDescription&) const override { return true; }

  // Removes calls that have a Solaris name in this script, and probes that never fire unless a description names them.
  void remove_replaced(const ProbeDescription& description, std::vector<const Probe*>& found) const override {
    if (!matches_calls(description)) return;
    std::erase_if(found, [&](const Probe* probe) { return is_renamed(*probe); });
    auto is_unfired = [&](const Probe* probe) { return is_stub(*probe, Stub::Unfired); };
    if (matches_every_call(description.function)) std::erase_if(found, is_unfired);
    auto is_replaced = [&](const Probe* probe) { return is_stub(*probe, Stub::Replaced); };
    if (!std::ranges::all_of(found, is_replaced)) std::erase_if(found, is_replaced);
  }

  void load_args(Probe& probe, TypeTable& types) override {
    bool is_entry = probe.name == entry;
    for (size_t i = 0; i < (is_entry ? max_arguments : 2); ++i)
      probe.args.push_back({.type_text = is_entry ? "uintptr_t" : "long",
                            .type = types.integer(8, !is_entry),
                            .name = {},
                            .source = {}});
  }

 private:
  bool is_stub(const Probe& probe, Stub stub) const { return probe.provider == name() && probe.stub == stub; }
  bool is_renamed(const Probe& probe) const {
    const auto* call = std::get_if<HookSyscall>(&probe.hook);
    return call != nullptr && probe.sites.empty() && names_.is_renamed(call->number);
  }

  static Probe make_probe(std::string_view function, std::string_view name) {
    Probe probe{.provider = "syscall",
                .module = "vmlinux",
                .function = std::string{function},
                .name = std::string{name},
                .has_typed_args = true};
    mark_system_call(probe);
    return probe;
  }

  void add_probe(const SolarisCall& row, const std::string& pattern, std::string_view name,
                 std::vector<Probe>& probes) {
    std::string_view matched = first_match(words_of(row.names), pattern);
    if (matched.empty()) return;
    std::string_view name_in_script = names_.name_of(row);
    bool matches_name_in_script = field_matches(pattern, name_in_script);
    Probe probe = make_probe(matches_name_in_script ? name_in_script : matched, name);
    if (matches_name_in_script) add_sites(row, probe);
    if (probe.sites.empty()) make_stub(probe, row.calls.empty() ? Stub::Unfired : Stub::Replaced);
    probes.push_back(std::move(probe));
  }

  void add_sites(const SolarisCall& row, Probe& probe) {
    bool is_entry = probe.name == entry;
    std::vector<ArgSource> arguments(2, {.kind = ArgSourceKind::SyscallReturn, .is_signed = true});
    if (is_entry) arguments.clear();
    for (uint32_t i = 0; is_entry && i < max_arguments; ++i)
      arguments.push_back({.kind = ArgSourceKind::SyscallArg, .index = i});
    for (const auto& [number, part] : names_.parts_of(row)) {
      HookSyscall hook{.number = number, .is_return = !is_entry, .conditions = part->conditions, .order = {}};
      if (is_entry) hook.order = order_of(part->candidate.call->registers);
      probe.sites.push_back({.hook = std::move(hook), .raw_args = arguments});
    }
  }

  // Adds a stub for a Linux name whose call has another name in the script.
  void add_stub_of_linux_call(const std::string& function, std::string_view name, std::vector<Probe>& probes) {
    for (const SolarisCall& row : solaris_calls())
      for (const LinuxCall& call : row.calls) {
        if (!names_.is_renamed(call.number)) continue;
        if (std::ranges::count(names_of_system_call(call.number), function) == 0) continue;
        probes.push_back(make_probe(function, name));
        make_stub(probes.back(), Stub::Replaced);
        return;
      }
  }

  CallNames names_;
};

}  // namespace

bool is_solaris_call(const ProbeDescription& description) {
  return matches_calls(description) && is_literal(description.function) && is_name_of_solaris(description.function);
}

std::unique_ptr<Provider> make_solaris_call_provider() { return std::make_unique<SolarisCallProvider>(); }

}  // namespace dscope
