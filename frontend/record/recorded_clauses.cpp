#include "frontend/record/recorded_clauses.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "contract/follow.h"
#include "frontend/record/recorded_values.h"
#include "frontend/semantics/semantics.h"
#include "frontend/syntax/ast_print.h"
#include "support/format.h"

namespace dscope {

namespace {

// The predicates of the clauses that record a probe. It is always recorded if one clause has none.
struct Wish {
  const Probe* probe = nullptr;
  bool is_unconditional = false;
  std::vector<std::string> predicates;
};

class Finder {
 public:
  Finder(Program& program, Host& host, TypeTable& types, const Dialect& dialect, RecordPlan& plan)
      : program_(program), host_(host), types_(types), dialect_(dialect), plan_(plan) {}

  void find_in(ProgramUnit& unit) {
    uint32_t matched = 0;
    std::vector<External> kept;
    for (External& external : unit.externals) {
      auto* clause = std::get_if<Clause>(&external.form);
      std::optional<uint32_t> found;
      if (clause != nullptr && clause->body.empty()) found = take(*clause);
      matched += found.value_or(0);
      if (!found) kept.push_back(std::move(external));
    }
    unit.externals = std::move(kept);
    if (matched > 0) plan_.matched.emplace_back(unit.source.index, matched);
  }

  // The words whose libraries translate the arguments of the probes and the threads.
  std::vector<std::string> words() {
    std::vector<std::string> words;
    if (plan_.parts.has_threads && !wishes_.empty())
      for (const ThreadObject& object : thread_objects) words.emplace_back(object.variable);
    for (const Wish& wish : wishes_) {
      host_.load_args(*wish.probe, types_);
      for (const ProbeArg& argument : wish.probe->args)
        if (!argument.translated_text.empty() && seen_.insert(argument.translated_text).second)
          words.push_back(argument.translated_text);
    }
    return words;
  }

  void group_probes() {
    std::map<std::string, size_t> groups;
    for (const Wish& wish : wishes_) {
      RecordedGroup group = recorded_values(*wish.probe, types_, program_, plan_.parts);
      if (!wish.is_unconditional) group.predicate = joined(wish.predicates);
      auto [entry, is_new] = groups.try_emplace(key_of(group, *wish.probe), plan_.groups.size());
      if (is_new) plan_.groups.push_back(std::move(group));
      plan_.groups[entry->second].probes.push_back(wish.probe);
    }
  }

 private:
  // Returns the number of recorded probes that the clause matches. nullopt: it is left to the checker.
  std::optional<uint32_t> take(const Clause& clause) {
    std::vector<const Probe*> probes;
    for (const ProbeSpecifier& specifier : clause.probes) {
      ProbeDescription description = description_of(specifier);
      description.id = specifier.id;
      description.dialect = dialect_;
      std::vector<const Probe*> matched = host_.match(description);
      bool has_later = std::erase_if(matched, [](const Probe* probe) { return is_awaited(*probe); }) != 0;
      if (has_later) plan_.later_probes.push_back(to_string(description));
      std::erase_if(matched, [](const Probe* probe) { return !is_recordable(*probe); });
      if (matched.empty() && !has_later) return std::nullopt;
      probes.insert(probes.end(), matched.begin(), matched.end());
    }
    for (const ProbeSpecifier& specifier : clause.probes) plan_.descriptions.push_back(shown(specifier));
    std::string predicate = clause.predicate != nullptr ? print_expr(*clause.predicate) : std::string();
    for (const Probe* probe : probes) add(*probe, predicate);
    return static_cast<uint32_t>(probes.size());
  }

  // A number means another probe on another machine.
  std::string shown(const ProbeSpecifier& specifier) const {
    if (!specifier.id) return to_string(description_of(specifier));
    const Probe& probe = *host_.match({.id = specifier.id}).front();
    return fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
  }

  // BEGIN, END and ERROR are no events: a replay fires its own.
  static bool is_recordable(const Probe& probe) {
    bool has_own_hook = probe.sites.empty() && probe.derivations.empty();
    bool is_of_run = has_own_hook && std::holds_alternative<HookTestRun>(probe.hook);
    return probe.is_available && probe.stub == Stub::None && !is_of_run;
  }

  void add(const Probe& probe, const std::string& predicate) {
    auto [entry, is_new] = wish_of_.try_emplace(probe.id, wishes_.size());
    if (is_new) wishes_.push_back({.probe = &probe, .is_unconditional = false, .predicates = {}});
    Wish& wish = wishes_[entry->second];
    if (predicate.empty()) wish.is_unconditional = true;
    else if (std::ranges::find(wish.predicates, predicate) == wish.predicates.end())
      wish.predicates.push_back(predicate);
  }

  static std::string joined(const std::vector<std::string>& predicates) {
    if (predicates.size() == 1) return predicates.front();
    std::string text;
    for (const std::string& predicate : predicates)
      text += fmt::format("{}({})", text.empty() ? "" : " || ", predicate);
    return text;
  }

  // A clause can use args[] if all of its probes have the same arguments.
  static std::string key_of(const RecordedGroup& group, const Probe& probe) {
    std::string key = fmt::format("{} {}\n{}\n", group.arg_count, group.word_count, group.predicate);
    bool uses_args = false;
    for (const RecordedValue& value : group.values) {
      key += value.text + "\n";
      uses_args = uses_args || value.text.find("args[") != std::string::npos;
    }
    if (!uses_args) return key;
    for (const ProbeArg& argument : probe.args)
      key += fmt::format("{} {} {} {} {} {}\n", argument.type_text, argument.translated_text,
                         static_cast<int>(argument.source.kind), argument.source.index, argument.source.offset,
                         argument.source.size);
    return key;
  }

  Program& program_;
  Host& host_;
  TypeTable& types_;
  const Dialect& dialect_;
  RecordPlan& plan_;
  std::vector<Wish> wishes_;
  std::map<uint32_t, size_t> wish_of_;  // by the id of the probe
  std::set<std::string> seen_;
};

}  // namespace

void find_recorded_clauses(Program& program, std::span<const UnitId> units, Host& host, TypeTable& types,
                           const Dialect& dialect,
                           const std::function<void(const std::vector<std::string>&)>& add_libraries,
                           RecordPlan& plan) {
  Finder finder{program, host, types, dialect, plan};
  for (ProgramUnit& unit : program.units)
    if (std::ranges::count(units, unit.source) != 0) finder.find_in(unit);
  if (std::vector<std::string> words = finder.words(); !words.empty()) add_libraries(words);
  finder.group_probes();
}

void add_recorded_probes(const RecordPlan& plan, std::span<const UnitId> units, std::span<UnitPlan> plans) {
  for (const auto& [source, count] : plan.matched)
    for (size_t i = 0; i < units.size() && i < plans.size(); ++i)
      if (units[i].index == source) plans[i].matched += count;
}

std::string recording_text(const RecordPlan& plan, RecordingPart part) {
  std::string text;
  for (size_t i = 0; i < plan.groups.size(); ++i) {
    if (plan.groups[i].predicate.empty() != (part == RecordingPart::Unconditional)) continue;
    text += RecordPlan::description_of(i) + "\n";
    if (!plan.groups[i].predicate.empty()) text += "/" + plan.groups[i].predicate + "/\n";
    text += "{\n";
    for (const RecordedValue& value : plan.groups[i].values) text += "\t" + value.text + ";\n";
    text += "}\n";
  }
  return text;
}

size_t RecordPlan::group_of(const ProbeDescription& description) const {
  constexpr std::string_view prefix = "group";
  if (description.provider != provider || !description.name.starts_with(prefix)) return groups.size();
  size_t number = groups.size();
  std::from_chars(description.name.data() + prefix.size(), description.name.data() + description.name.size(), number);
  return std::min(number, groups.size());
}

}  // namespace dscope
