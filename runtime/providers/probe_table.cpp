// Matching walks names only; a Probe is made when it matches for the first time.
#include "runtime/providers/probe_table.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "catalog/catalog.h"
#include "contract/follow.h"
#include "contract/process_provider.h"
#include "support/check.h"
#include "support/format.h"
#include "support/glob.h"
#include "support/spelling.h"

namespace dscope {
namespace {

ProbeDescription with_own_module_name(ProbeDescription description) {
  if (description.is_solaris_mode) leave_out_solaris_places(description);
  description.module = own_module_name(description.module);
  return description;
}

bool matches(const ProbeDescription& description, const ProbeName& probe) {
  return field_matches(description.function, probe.function) && field_matches(description.name, probe.name) &&
         field_matches(description.module, probe.module);
}

ProbeDescription name_of(const Probe& probe, bool is_solaris_mode) {
  return {.id = {},
          .provider = probe.provider,
          .module = probe.module,
          .function = probe.function,
          .name = probe.name,
          .is_solaris_mode = is_solaris_mode};
}

// Whether the probe is that of one process, and `all` the same of all processes.
bool is_part_of(const Probe& all, const Probe& probe) {
  std::string_view name = all.provider, provider = probe.provider;
  name.remove_suffix(1);
  bool is_of_process = provider.size() > name.size() && provider.starts_with(name) &&
                       provider.find_first_not_of("0123456789", name.size()) == std::string_view::npos;
  return is_of_process && probe.module == all.module && probe.function == all.function && probe.name == all.name;
}

// What another description made for one process fires where that of all processes does.
void leave_out_parts(std::vector<const Probe*>& found) {
  std::vector<const Probe*> of_all;
  for (const Probe* probe : found)
    if (is_of_all_processes(probe->provider)) of_all.push_back(probe);
  std::erase_if(found, [&](const Probe* probe) {
    return std::ranges::any_of(of_all, [&](const Probe* all) { return is_part_of(*all, *probe); });
  });
}

// "pid123", "python123" for process 123.
bool is_provider_of(std::string_view provider, uint32_t process) {
  size_t digits = provider.find_last_not_of("0123456789") + 1;
  return provider.substr(digits) == std::to_string(process);
}

// Whether the kernel reaches them at the same places.
bool has_same_hooks(const Probe& one, const Probe& other) {
  auto is_same = [](const ProbeSite& a, const ProbeSite& b) { return a.hook == b.hook && a.raw_args == b.raw_args; };
  return one.hook == other.hook && one.raw_args == other.raw_args &&
         std::ranges::equal(one.sites, other.sites, is_same);
}

}  // namespace

std::string_view own_module_name(std::string_view module) {
  return module == "genunix" || module == "unix" || module == "kernel" ? "vmlinux" : module;
}

bool field_matches(std::string_view pattern, std::string_view text) {
  return pattern.empty() || glob_matches(pattern, text);
}

bool is_literal(std::string_view pattern) { return !pattern.empty() && !is_glob(pattern); }

bool could_match_tracepoint(std::string_view pattern) {
  for (std::string_view other : {"BEGIN", "END", "ERROR", "entry", "return"})
    if (pattern == other) return false;
  auto is_identifier_character = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  std::string_view prefix = glob_prefix(pattern);
  return std::all_of(prefix.begin(), prefix.end(), is_identifier_character);
}

ProbeTable::ProbeTable(std::vector<std::unique_ptr<Provider>> providers, Followed followed)
    : followed_(std::move(followed)) {
  for (auto& provider : providers) entries_.push_back({std::move(provider), {}});
}

// ---------------------------------------------------------------- ids

uint32_t ProbeTable::first_id(const Entry& entry) {
  size_t id = 1;
  for (Entry& earlier : entries_) {
    if (&earlier == &entry) break;
    id += earlier.provider->count();
  }
  DS_CHECK(id < first_created_id);
  return static_cast<uint32_t>(id);
}

const Probe& ProbeTable::published(Entry& entry, uint32_t first_id, size_t index) {
  if (entry.probes.empty()) entry.probes.resize(entry.provider->count());
  std::unique_ptr<Probe>& probe = entry.probes[index];
  if (probe == nullptr) {
    ProbeName names = entry.provider->probe_name(index);
    probe = std::make_unique<Probe>(Probe{.id = first_id + static_cast<uint32_t>(index),
                                          .provider = std::string{entry.provider->name()},
                                          .module = std::string{names.module},
                                          .function = std::string{names.function},
                                          .name = std::string{names.name}});
    entry.provider->describe(index, *probe);
  }
  return *probe;
}

const Probe* ProbeTable::find_id(uint32_t id) {
  if (id >= first_created_id) {
    size_t index = id - first_created_id;
    return index < created_.size() ? created_[index].probe.get() : nullptr;
  }
  uint32_t first = 1;
  for (Entry& entry : entries_) {
    if (id < first) break;
    uint32_t count = static_cast<uint32_t>(entry.provider->count());
    if (id < first + count) return &published(entry, first, id - first);
    first += count;
  }
  return nullptr;
}

Provider& ProbeTable::provider_of(const Probe& probe) {
  if (probe.id >= first_created_id) return *created_[probe.id - first_created_id].provider;
  for (Entry& entry : entries_)
    if (entry.provider->name() == probe.provider) return *entry.provider;
  DS_UNREACHABLE();
}

// ---------------------------------------------------------------- matching

std::vector<const Probe*> ProbeTable::match(const ProbeDescription& written) {
  if (written.id) return match_id(written);
  if (given_up_.contains(to_string(written))) return {};
  ProbeDescription description = with_own_module_name(written);
  std::vector<const Probe*> found = match_published(description);
  create_missing(description, found);
  for (const Created& created : created_)
    if (!created.is_past && is_meant(description, created)) found.push_back(created.probe.get());
  leave_out_parts(found);
  for (const Entry& entry : entries_) entry.provider->choose(description, found);
  return found.empty() ? expect(description) : found;
}

// With compat=solaris the probe may go by another name.
std::vector<const Probe*> ProbeTable::match_id(const ProbeDescription& written) {
  const Probe* probe = find_id(*written.id);
  if (probe == nullptr) return {};
  std::vector<const Probe*> found{probe};
  ProbeDescription named = name_of(*probe, written.is_solaris_mode);
  for (const Entry& entry : entries_) entry.provider->choose(named, found);
  return found.empty() ? match(named) : found;
}

void ProbeTable::announce(std::vector<std::vector<ProbeDescription>> clauses) {
  for (std::vector<ProbeDescription>& clause : clauses)
    for (ProbeDescription& each : clause)
      if (const Probe* probe = each.id ? find_id(*each.id) : nullptr) each = name_of(*probe, each.is_solaris_mode);
  for (Entry& entry : entries_) entry.provider->announce(clauses);
}

// With a pattern for the provider, other fields may mean something else in each process: a.out.
bool ProbeTable::is_meant(const ProbeDescription& description, const Created& created) {
  if (!field_matches(description.provider, created.probe->provider)) return false;
  ProbeDescription own = description;
  own.provider = created.probe->provider;
  own = created.provider->as_published(own);
  const Probe& probe = *created.probe;
  return field_matches(own.provider, probe.provider) && field_matches(own.module, probe.module) &&
         field_matches(own.name, probe.name) && created.provider->is_called(probe, own.function) &&
         created.provider->means_created(description);
}

std::vector<const Probe*> ProbeTable::match_published(const ProbeDescription& description) {
  std::vector<const Probe*> found;
  for (Entry& entry : entries_) {
    if (!entry.provider->could_match(description)) continue;
    ProbeDescription spelled = entry.provider->as_published(description);
    size_t count = entry.provider->count();
    if (count == 0) continue;  // nor do those before it have to be counted
    uint32_t first = first_id(entry);
    for (size_t i = 0; i < count; ++i)
      if (matches(spelled, entry.provider->probe_name(i)) && entry.provider->is_there(i))
        found.push_back(&published(entry, first, i));
  }
  return found;
}

// Makes what the description spells out in full and no provider publishes.
void ProbeTable::create_missing(const ProbeDescription& description, const std::vector<const Probe*>& found) {
  for (Entry& entry : entries_) {
    if (!entry.provider->could_match(description)) continue;
    ProbeDescription spelled = entry.provider->as_published(description);
    for (Probe& probe : entry.provider->of_later_modules(spelled)) add_created(std::move(probe), *entry.provider);
    if (!found.empty() && entry.provider->is_last_resort(description)) continue;
    auto is_this_provider = [&](const Probe* probe) { return probe->provider == entry.provider->name(); };
    bool is_complete = !entry.provider->adds_to_published(description);
    if (is_complete && std::any_of(found.begin(), found.end(), is_this_provider)) continue;
    for (Probe& probe : entry.provider->create_all(spelled)) add_created(std::move(probe), *entry.provider);
  }
}

// What is made once more after an exec is the same probe if it hangs on the same places.
const Probe* ProbeTable::add_created(Probe probe, Provider& provider) {
  std::string name = fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
  std::vector<size_t>& namesakes = created_names_[name];
  auto is_there = [&](size_t index) { return !created_[index].is_past; };
  auto is_it = [&](size_t index) { return has_same_hooks(*created_[index].probe, probe); };
  auto known = std::ranges::find_if(namesakes, is_there);
  if (known == namesakes.end()) known = std::ranges::find_if(namesakes, is_it);
  if (known != namesakes.end()) {
    created_[*known].is_past = false;
    return created_[*known].probe.get();
  }
  namesakes.push_back(created_.size());
  probe.id = first_created_id + static_cast<uint32_t>(created_.size());
  created_.push_back({std::make_unique<Probe>(std::move(probe)), &provider});
  return created_.back().probe.get();
}

// ---------------------------------------------------------------- followed processes

// Nothing yet: a program that a followed process executes later may have it, or a module.
std::vector<const Probe*> ProbeTable::expect(const ProbeDescription& description) {
  bool is_followed = std::ranges::any_of(followed_.processes, [&](uint32_t pid) {
    return is_literal(description.provider) && is_provider_of(description.provider, pid);
  });
  // A pattern that fits a provider of the kernel, or all of them, is not for processes to come.
  auto is_kernels = [&](const Entry& entry) { return field_matches(description.provider, entry.provider->name()); };
  bool is_of_all = followed_.has_all && is_glob(description.provider) && std::ranges::none_of(entries_, is_kernels);
  for (Entry& entry : entries_)
    if (followed_.has_modules && entry.provider->may_match_later_modules(description))
      return {add_created({.provider = std::string{entry.provider->name()},
                           .module = description.module,
                           .function = description.function,
                           .name = description.name,
                           .hook = HookUprobe{}},
                          *entry.provider)};
  if (!is_followed && !is_of_all) return {};
  for (Entry& entry : entries_)
    if (auto probe = entry.provider->expected(description)) return {add_created(std::move(*probe), *entry.provider)};
  return {};
}

void ProbeTable::renew(uint32_t process, uint32_t pid) {
  for (Entry& entry : entries_) entry.provider->renew(process, pid);
  for (Created& created : created_) created.is_past |= is_provider_of(created.probe->provider, process);
}

bool ProbeTable::renew_by_file(uint32_t pid, const std::string& path) {
  bool is_wanted = false;
  for (Entry& entry : entries_) is_wanted |= entry.provider->renew_by_file(pid, path);
  if (!is_wanted) return false;
  for (Created& created : created_)
    created.is_past |= is_of_all_processes(created.probe->provider) && is_awaited(*created.probe);
  return true;
}

bool ProbeTable::may_match_later_modules(const ProbeDescription& description) {
  return followed_.has_modules && std::ranges::any_of(entries_, [&](const Entry& entry) {
           return entry.provider->may_match_later_modules(description);
         });
}

void ProbeTable::renew_by_modules() {
  for (Created& created : created_) created.is_past |= is_awaited_kernel_probe(*created.probe);
}

std::optional<ProbeMistake> ProbeTable::mistake(const ProbeDescription& written) {
  ProbeDescription description = with_own_module_name(written);
  for (Entry& entry : entries_)
    if (entry.provider->could_match(description))
      if (auto mistake = entry.provider->mistake(description)) return mistake;
  return std::nullopt;
}

void ProbeTable::load_args(const Probe& probe, TypeTable& types) {
  const TypeTable*& table = loaded_into_[probe.id];
  if (probe.args_loaded && table == &types) return;
  table = &types;
  // All probes are this table's own; the contract hands them out as const.
  Probe& own = const_cast<Probe&>(probe);
  own.args.clear();
  if (is_awaited_kernel_probe(probe)) provider_of(probe).load_expected_args(own, types);
  else provider_of(probe).load_args(own, types);
  own.args_loaded = true;
}

std::optional<ProviderAttributes> ProbeTable::attributes(std::string_view provider) {
  for (Entry& entry : entries_)
    if (auto attributes = entry.provider->attributes(provider)) return attributes;
  return std::nullopt;
}

// ---------------------------------------------------------------- hints

// Among the published names, the one most like the first field that is spelled out and unknown.
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
          is_same_but_for_case(*wanted, candidate) ? 1 : edit_distance(*wanted, candidate, Nearest::limit);
      if (distance < nearest.distance && distance < wanted->size()) nearest = {std::string{candidate}, distance};
    }
    if (nearest.distance != 0 && !nearest.name.empty()) return nearest;
  }
  return {};
}

// `syscall:read:entry` and `syscall:entry`: fields are counted from the right, so that these begin with a module and a
// function. Providers of a process are called `pid123`; of these, `pid123:a.out:main` lacks the name.
std::string ProbeTable::with_field_for_provider(const ProbeDescription& written) {
  if (!written.provider.empty()) return {};
  ProbeDescription meant = written;
  meant.provider = std::exchange(written.module.empty() ? meant.function : meant.module, "");
  bool is_of_process = is_literal(meant.provider) && !meant.provider.empty() &&
                       std::isdigit(static_cast<unsigned char>(meant.provider.back())) != 0;
  bool is_provider = std::ranges::any_of(entries_, [&](const Entry& entry) {
    return entry.provider->name() == meant.provider || (is_of_process && entry.provider->could_match(meant));
  });
  if (!is_provider) return {};
  if (!match(meant).empty()) return to_string(meant);
  if (!is_of_process) return {};
  ProbeDescription named{.provider = meant.provider, .module = meant.function, .function = meant.name, .name = "entry"};
  return !match(named).empty() ? to_string(named) : "";
}

// `syscall:openat::entry`, `sdt:sched:sched_switch:`
std::string ProbeTable::with_field_moved(const ProbeDescription& written) {
  if (!is_literal(written.provider)) return {};
  ProbeDescription swapped = written, renamed = written;
  std::swap(swapped.module, swapped.function);
  std::swap(renamed.function, renamed.name);
  bool may_swap = swapped.module.empty() && !swapped.function.empty();
  bool may_rename = renamed.function.empty() && !renamed.name.empty();
  if (may_swap && !match(swapped).empty()) return to_string(swapped);
  return may_rename && !match(renamed).empty() ? to_string(renamed) : "";
}

// `sched:::sched_switch`, `kmem:::`: events of a subsystem of the kernel, as other tools call them.
std::string ProbeTable::as_tracepoint(const ProbeDescription& written) {
  if (!is_literal(written.provider)) return {};
  ProbeDescription event{
      .provider = "sdt", .module = written.provider, .name = written.name.empty() ? written.function : written.name};
  return !match(event).empty() ? to_string(event) : "";
}

// A provider that stands where another field is, in a description that would match nothing there either.
std::string ProbeTable::misplaced_provider(const ProbeDescription& written) {
  for (const std::string& field : {written.module, written.function})
    for (const Entry& entry : entries_)
      if (written.provider.empty() && field == entry.provider->name())
        return fmt::format("three colons separate the fields: `{}:MODULE:FUNCTION:NAME`", field);
  return {};
}

// All names of a provider that has few, for a name that is none of them.
std::string ProbeTable::known_names(Provider& provider, const ProbeDescription& description) {
  constexpr size_t few = 24;
  if (description.provider != provider.name() || !is_literal(description.name)) return {};
  std::set<std::string_view> names;
  for (size_t i = 0, count = provider.count(); i < count && names.size() <= few; ++i)
    names.insert(provider.probe_name(i).name);
  if (names.empty() || names.size() > few || names.contains(description.name)) return {};
  return fmt::format("the names of its probes are {}", fmt::join(names, " "));
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
  for (const std::string& meant : {with_field_for_provider(written), with_field_moved(written), as_tracepoint(written)})
    if (!meant.empty()) return fmt::format("did you mean `{}`?", meant);
  ProbeDescription description = with_own_module_name(written);
  std::vector<std::string_view> known;
  Nearest nearest;
  std::string names;
  bool is_known_provider = false;
  for (Entry& entry : entries_) {
    known.push_back(entry.provider->name());
    // Providers of processes have their numbers in the name.
    bool is_meant = field_matches(description.provider, known.back()) ||
                    (is_literal(description.provider) && entry.provider->could_match(description));
    if (!is_meant) continue;
    is_known_provider = true;
    ProbeDescription spelled = entry.provider->as_published(description);
    if (std::string reason = entry.provider->why_missing(spelled); !reason.empty()) return reason;
    Nearest candidate = nearest_name(*entry.provider, spelled);
    if (candidate.distance < nearest.distance) nearest = std::move(candidate);
    if (names.empty()) names = known_names(*entry.provider, spelled);
  }
  ProbeDescription of_solaris = written;
  of_solaris.is_solaris_mode = true;
  if (!written.is_solaris_mode && !match(of_solaris).empty()) return "a probe of Solaris: -x compat=solaris has it";
  if (std::string text = misplaced_provider(written); !text.empty()) return text;
  if (!nearest.name.empty()) return fmt::format("did you mean `{}`?", nearest.name);
  if (!names.empty()) return names;
  if (is_known_provider)
    return is_literal(description.provider) ? fmt::format("`-l -P {}` lists its probes", description.provider) : "";
  if (is_glob(description.provider) && std::isalpha(static_cast<unsigned char>(description.provider[0])) != 0)
    return fmt::format("no process has static probes of a provider `{}`: start one first, or wait for it with -Z",
                       description.provider);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  // Names of three letters are like too many others.
  std::string_view near = dscope::nearest_name(description.provider, known);
  if (!near.empty() && description.provider.size() > 3)
    return fmt::format("there is no provider `{}`; did you mean `{}`?", description.provider, near);
  return fmt::format(
      "there is no provider `{0}`; known: {1}; those of programs end in a process id: `{0}$target`, `{0}*`",
      description.provider, fmt::join(known, " "));
}

}  // namespace dscope
