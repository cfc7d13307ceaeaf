// Hints of ProbeTable for descriptions that match nothing.
#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "catalog/catalog.h"
#include "runtime/providers/probe_table.h"
#include "support/format.h"
#include "support/text/format_join.h"
#include "support/text/glob.h"
#include "support/text/spelling.h"

namespace dscope {

// The published name nearest to the first field that is spelled out and unknown.
ProbeTable::Nearest ProbeTable::nearest_name(Provider& provider, const ProbeDescription& description) {
  const std::pair<const std::string*, std::string_view ProbeName::*> fields[] = {
      {&description.function, &ProbeName::function},
      {&description.name, &ProbeName::name},
      {&description.module, &ProbeName::module}};
  for (auto [wanted, field] : fields) {
    if (!is_literal(*wanted)) continue;
    Nearest nearest;
    for (size_t i = 0, count = provider.count(); i < count && nearest.distance != 0; ++i) {
      std::string_view candidate = provider.probe_name(i).*field;
      size_t distance =
          differs_only_in_case(*wanted, candidate) ? 1 : edit_distance(*wanted, candidate, Nearest::limit);
      if (distance < nearest.distance && distance < wanted->size()) nearest = {std::string{candidate}, distance};
    }
    if (nearest.distance != 0 && !nearest.name.empty()) return nearest;
  }
  return {};
}

// Suggests the missing field of `syscall:read:entry` and `syscall:entry`: fields are counted from the right, so the
// provider is parsed as module or function. `pid123:a.out:main` lacks the name of the probe instead.
std::string ProbeTable::suggest_provider_field(const ProbeDescription& written) {
  if (!written.provider.empty()) return {};
  ProbeDescription shifted = written;
  shifted.provider = std::exchange(written.module.empty() ? shifted.function : shifted.module, "");
  bool is_of_process = is_literal(shifted.provider) && !shifted.provider.empty() &&
                       std::isdigit(static_cast<unsigned char>(shifted.provider.back())) != 0;
  bool is_provider = std::ranges::any_of(entries_, [&](const Entry& entry) {
    return entry.provider->name() == shifted.provider || (is_of_process && entry.provider->could_match(shifted));
  });
  if (!is_provider) return {};
  if (!match(shifted).empty()) return to_string(shifted);
  if (!is_of_process) return {};
  ProbeDescription named{
      .provider = shifted.provider, .module = shifted.function, .function = shifted.name, .name = "entry"};
  return !match(named).empty() ? to_string(named) : "";
}

// Suggests the correction of `syscall:openat::entry` and `sdt:sched:sched_switch:`, where two fields are swapped.
std::string ProbeTable::suggest_swapped_field(const ProbeDescription& written) {
  if (!is_literal(written.provider)) return {};
  ProbeDescription swapped = written, renamed = written;
  std::swap(swapped.module, swapped.function);
  std::swap(renamed.function, renamed.name);
  bool may_swap = swapped.module.empty() && !swapped.function.empty();
  bool may_rename = renamed.function.empty() && !renamed.name.empty();
  if (may_swap && !match(swapped).empty()) return to_string(swapped);
  return may_rename && !match(renamed).empty() ? to_string(renamed) : "";
}

// Suggests the sdt probe for `sched:::sched_switch` or `kmem:::`, where a subsystem stands for the provider, as in
// other tools.
std::string ProbeTable::suggest_tracepoint(const ProbeDescription& written) {
  if (!is_literal(written.provider)) return {};
  ProbeDescription event{
      .provider = "sdt", .module = written.provider, .name = written.name.empty() ? written.function : written.name};
  return !match(event).empty() ? to_string(event) : "";
}

// A hint for descriptions such as `syscall:x:y` that name a provider in the field of the module or function.
std::string ProbeTable::misplaced_provider(const ProbeDescription& written) {
  for (const std::string& field : {written.module, written.function})
    for (const Entry& entry : entries_)
      if (written.provider.empty() && field == entry.provider->name())
        return fmt::format("three colons separate the fields: `{}:MODULE:FUNCTION:NAME`", field);
  return {};
}

// Lists the names of a provider that has at most 24, for a name that is none of them.
std::string ProbeTable::list_names(Provider& provider, const ProbeDescription& description) {
  constexpr size_t few = 24;
  if (description.provider != provider.name() || !is_literal(description.name)) return {};
  std::set<std::string_view> names;
  for (size_t i = 0, count = provider.count(); i < count && names.size() <= few; ++i)
    names.insert(provider.probe_name(i).name);
  if (names.empty() || names.size() > few || names.contains(description.name)) return {};
  return fmt::format("the names of its probes are {}", fmt::join(names, ", "));
}

std::vector<std::string> ProbeTable::absent(const ProbeDescription& description) {
  std::vector<std::string> reasons;
  for (Entry& entry : entries_) {
    Provider& provider = *entry.provider;
    if (!field_matches(description.provider, provider.name())) continue;
    for (const ProbeName& each : provider.absent()) {
      if (!field_matches(description.module, each.module) || !field_matches(description.function, each.function) ||
          !field_matches(description.name, each.name))
        continue;
      reasons.push_back(provider.why_missing({.provider = std::string{provider.name()},
                                              .module = std::string{each.module},
                                              .function = std::string{each.function},
                                              .name = std::string{each.name}}));
    }
  }
  return reasons;
}

std::string ProbeTable::why_missing(const ProbeDescription& written) {
  if (written.id) return fmt::format("there is no probe with id {}", *written.id);
  for (const std::string& suggestion :
       {suggest_provider_field(written), suggest_swapped_field(written), suggest_tracepoint(written)})
    if (!suggestion.empty()) return fmt::format("did you mean `{}`?", suggestion);
  ProbeDescription description = canonical(written);
  std::vector<std::string_view> known;
  Nearest nearest;
  std::string names;
  bool is_known_provider = false;
  for (Entry& entry : entries_) {
    known.push_back(entry.provider->name());
    // Names of per-process providers contain the process id.
    bool is_candidate = field_matches(description.provider, known.back()) ||
                        (is_literal(description.provider) && entry.provider->could_match(description));
    if (!is_candidate) continue;
    is_known_provider = true;
    ProbeDescription spelled = entry.provider->as_published(description);
    if (std::string reason = entry.provider->why_missing(spelled); !reason.empty()) return reason;
    Nearest candidate = nearest_name(*entry.provider, spelled);
    if (candidate.distance < nearest.distance) nearest = std::move(candidate);
    if (names.empty()) names = list_names(*entry.provider, spelled);
  }
  ProbeDescription of_solaris = written;
  of_solaris.dialect = Dialect::solaris();
  if (written.dialect != of_solaris.dialect && !match(of_solaris).empty())
    return "this is a probe of Solaris: use -x compat=solaris";
  if (std::string text = misplaced_provider(written); !text.empty()) return text;
  if (!nearest.name.empty()) return fmt::format("did you mean `{}`?", nearest.name);
  if (!names.empty()) return names;
  if (is_known_provider)
    return is_literal(description.provider) ? fmt::format("`-l -P {}` lists its probes", description.provider) : "";
  if (is_glob(description.provider) && std::isalpha(static_cast<unsigned char>(description.provider[0])) != 0) {
    for (Entry& entry : entries_)
      if (entry.provider->could_match(description))
        if (std::string reason = entry.provider->why_missing(description); !reason.empty()) return reason;
    return fmt::format("no process has static probes of provider `{}`: start the program first, or wait for it with -Z",
                       description.provider);
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  // A three-letter name is close to too many others.
  std::string_view near = dscope::nearest_name(description.provider, known);
  if (!near.empty() && description.provider.size() > 3)
    return fmt::format("there is no provider `{}`; did you mean `{}`?", description.provider, near);
  return fmt::format(
      "there is no provider `{0}`; known: {1}; providers of processes end with a process id: `{0}$target`, `{0}*`",
      description.provider, fmt::join(known, " "));
}

}  // namespace dscope
