// Matching compares names only; a Probe is created when it matches for the first time.
#include "runtime/providers/probe_table.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "contract/follow.h"
#include "contract/process_provider.h"
#include "support/check.h"
#include "support/format.h"
#include "support/text/glob.h"

namespace dscope {
namespace {

// Whether the probe `index` of the provider, which publishes it, matches by its name or an alias.
bool matches(Provider& provider, const ProbeDescription& description, size_t index) {
  const ProbeName probe = provider.probe_name(index);
  if (!field_matches(description.name, probe.name) || !field_matches(description.module, probe.module)) return false;
  return field_matches(description.function, probe.function) ||
         (is_glob(description.function) && provider.matches_alias(index, description));
}

ProbeDescription name_of(const Probe& probe, Dialect dialect) {
  return {.id = {},
          .provider = probe.provider,
          .module = probe.module,
          .function = probe.function,
          .name = probe.name,
          .dialect = dialect};
}

// True if `probe` belongs to one process and `all` is the same probe of all processes.
bool is_covered_by(const Probe& all, const Probe& probe) {
  std::string_view name = all.provider, provider = probe.provider;
  name.remove_suffix(1);
  bool is_of_process = provider.size() > name.size() && provider.starts_with(name) &&
                       provider.find_first_not_of("0123456789", name.size()) == std::string_view::npos;
  return is_of_process && probe.module == all.module && probe.function == all.function && probe.name == all.name;
}

// Removes probes of one process where the same probe of all processes matches: both would fire.
void remove_covered(std::vector<const Probe*>& found) {
  std::vector<const Probe*> of_all;
  for (const Probe* probe : found)
    if (is_of_all_processes(probe->provider)) of_all.push_back(probe);
  std::erase_if(found, [&](const Probe* probe) {
    return std::ranges::any_of(of_all, [&](const Probe* all) { return is_covered_by(*all, *probe); });
  });
}

// "pid123", "python123" for process 123.
bool is_provider_of(std::string_view provider, uint32_t process) {
  size_t digits = provider.find_last_not_of("0123456789") + 1;
  return provider.substr(digits) == std::to_string(process);
}

// True if both probes are attached at the same locations.
bool has_same_hooks(const Probe& one, const Probe& other) {
  auto is_same = [](const ProbeSite& a, const ProbeSite& b) { return a.hook == b.hook && a.raw_args == b.raw_args; };
  return one.hook == other.hook && one.raw_args == other.raw_args &&
         std::ranges::equal(one.sites, other.sites, is_same);
}

}  // namespace

ProbeDescription canonical(ProbeDescription description) {
  if (description.dialect.has_solaris_modules()) drop_solaris_fields(description);
  description.module = own_module_name(description.module);
  return description;
}

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
  if (abandoned_.contains(to_string(written))) return {};
  ProbeDescription description = canonical(written);
  std::vector<const Probe*> found = match_published(description);
  create_missing(description, found);
  for (const Created& created : created_)
    if (!created.is_outdated && matches_created(description, created)) found.push_back(created.probe.get());
  remove_covered(found);
  for (const Entry& entry : entries_) entry.provider->remove_replaced(description, found);
  return found.empty() ? placeholder_for(description) : found;
}

// With compat=solaris another probe may replace the one with the id.
std::vector<const Probe*> ProbeTable::match_id(const ProbeDescription& written) {
  const Probe* probe = find_id(*written.id);
  if (probe == nullptr) return {};
  std::vector<const Probe*> found{probe};
  ProbeDescription named = name_of(*probe, written.dialect);
  for (const Entry& entry : entries_) entry.provider->remove_replaced(named, found);
  return found.empty() ? match(named) : found;
}

void ProbeTable::announce(std::vector<std::vector<ProbeDescription>> clauses) {
  for (std::vector<ProbeDescription>& clause : clauses)
    for (ProbeDescription& each : clause)
      if (const Probe* probe = each.id ? find_id(*each.id) : nullptr) each = name_of(*probe, each.dialect);
  for (Entry& entry : entries_) entry.provider->announce(clauses);
}

// Aliases such as a.out are resolved per process, so a pattern for the provider is replaced by the created probe's own
// provider first.
bool ProbeTable::matches_created(const ProbeDescription& description, const Created& created) {
  if (!field_matches(description.provider, created.probe->provider)) return false;
  ProbeDescription own = description;
  own.provider = created.probe->provider;
  own = created.provider->as_published(own);
  const Probe& probe = *created.probe;
  return field_matches(own.provider, probe.provider) && field_matches(own.module, probe.module) &&
         field_matches(own.name, probe.name) && created.provider->matches_function(probe, own.function) &&
         created.provider->accepts_created(description);
}

std::vector<const Probe*> ProbeTable::match_published(const ProbeDescription& description) {
  std::vector<const Probe*> found;
  for (Entry& entry : entries_) {
    if (!entry.provider->could_match(description)) continue;
    ProbeDescription spelled = entry.provider->as_published(description);
    size_t count = entry.provider->count();
    if (count == 0) continue;  // saves counting the earlier providers
    uint32_t first = first_id(entry);
    for (size_t i = 0; i < count; ++i)
      if (matches(*entry.provider, spelled, i) && entry.provider->exists(i))
        found.push_back(&published(entry, first, i));
  }
  return found;
}

// Creates the probes that the description spells out and that no provider publishes.
void ProbeTable::create_missing(const ProbeDescription& description, const std::vector<const Probe*>& found) {
  for (Entry& entry : entries_) {
    if (!entry.provider->could_match(description)) continue;
    ProbeDescription spelled = entry.provider->as_published(description);
    for (Probe& probe : entry.provider->probes_of_later_modules(spelled))
      add_created(std::move(probe), *entry.provider);
    if (!found.empty() && entry.provider->is_last_resort(description)) continue;
    auto is_this_provider = [&](const Probe* probe) { return probe->provider == entry.provider->name(); };
    bool is_complete = !entry.provider->adds_to_published(description);
    if (is_complete && std::any_of(found.begin(), found.end(), is_this_provider)) continue;
    for (Probe& probe : entry.provider->create_all(spelled)) add_created(std::move(probe), *entry.provider);
  }
}

// A probe that is created again after an exec is the same probe if it has the same hooks.
const Probe* ProbeTable::add_created(Probe probe, Provider& provider) {
  std::string name = fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
  std::vector<size_t>& namesakes = created_names_[name];
  auto exists = [&](size_t index) { return !created_[index].is_outdated; };
  auto is_it = [&](size_t index) { return has_same_hooks(*created_[index].probe, probe); };
  auto known = std::ranges::find_if(namesakes, exists);
  if (known == namesakes.end()) known = std::ranges::find_if(namesakes, is_it);
  if (known != namesakes.end()) {
    created_[*known].is_outdated = false;
    return created_[*known].probe.get();
  }
  namesakes.push_back(created_.size());
  probe.id = first_created_id + static_cast<uint32_t>(created_.size());
  created_.push_back({std::make_unique<Probe>(std::move(probe)), &provider});
  return created_.back().probe.get();
}

// ---------------------------------------------------------------- followed processes

// A placeholder if a program that a followed process executes later, or a module, may have the probe; else nothing.
std::vector<const Probe*> ProbeTable::placeholder_for(const ProbeDescription& description) {
  bool is_followed = std::ranges::any_of(followed_.processes, [&](uint32_t pid) {
    return is_literal(description.provider) && is_provider_of(description.provider, pid);
  });
  // A pattern that matches a provider of the kernel is not meant for future processes.
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
    if (auto probe = entry.provider->make_placeholder(description))
      return {add_created(std::move(*probe), *entry.provider)};
  return {};
}

void ProbeTable::refresh_process(uint32_t process, uint32_t pid) {
  for (Entry& entry : entries_) entry.provider->refresh_process(process, pid);
  for (Created& created : created_) created.is_outdated |= is_provider_of(created.probe->provider, process);
}

bool ProbeTable::refresh_file(uint32_t pid, const std::string& path) {
  bool is_wanted = false;
  for (Entry& entry : entries_) is_wanted |= entry.provider->refresh_file(pid, path);
  if (!is_wanted) return false;
  for (Created& created : created_)
    created.is_outdated |= is_of_all_processes(created.probe->provider) && is_awaited(*created.probe);
  return true;
}

bool ProbeTable::may_match_later_modules(const ProbeDescription& description) {
  return followed_.has_modules && std::ranges::any_of(entries_, [&](const Entry& entry) {
           return entry.provider->may_match_later_modules(description);
         });
}

void ProbeTable::refresh_modules() {
  for (Created& created : created_) created.is_outdated |= is_awaited_kernel_probe(*created.probe);
}

std::optional<ProbeMistake> ProbeTable::mistake(const ProbeDescription& written) {
  ProbeDescription description = canonical(written);
  for (Entry& entry : entries_)
    if (entry.provider->could_match(description))
      if (auto mistake = entry.provider->mistake(description)) return mistake;
  return std::nullopt;
}

void ProbeTable::load_args(const Probe& probe, TypeTable& types) {
  const TypeTable*& table = loaded_into_[probe.id];
  if (probe.args_loaded && table == &types) return;
  table = &types;
  // The table owns all probes; the contract returns them as const.
  Probe& own = const_cast<Probe&>(probe);
  own.args.clear();
  if (is_awaited_kernel_probe(probe)) provider_of(probe).load_placeholder_args(own, types);
  else provider_of(probe).load_args(own, types);
  own.args_loaded = true;
}

void ProbeTable::load_variables(const Probe& probe, TypeTable& types) {
  const TypeTable*& table = variables_in_[probe.id];
  if (table == &types || is_awaited(probe)) return;
  table = &types;
  Probe& own = const_cast<Probe&>(probe);
  own.variables.clear();
  provider_of(probe).load_variables(own, types);
}

const TracedVariable* ProbeTable::find_variable(const Probe& probe, TypeTable& types, const std::string& name) {
  if (name != goroutine_number) load_variables(probe, types);  // which take long
  auto find = [&]() -> const TracedVariable* {
    auto found = std::ranges::find(probe.variables, name, &TracedVariable::name);
    return found == probe.variables.end() ? nullptr : &*found;
  };
  const TracedVariable* found = find();
  if (found != nullptr || is_awaited(probe)) return found;
  provider_of(probe).add_global_variable(const_cast<Probe&>(probe), types, name);
  return find();
}

std::optional<ProviderAttributes> ProbeTable::attributes(std::string_view provider) {
  for (Entry& entry : entries_)
    if (auto attributes = entry.provider->attributes(provider)) return attributes;
  return std::nullopt;
}

}  // namespace dscope
