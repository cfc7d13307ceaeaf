// ProbeTable: all probes of the session, by id and by description.
//
// Ids. Published probes are numbered densely from 1, provider after provider in the order given, each provider's in its
// listing order; so an id does not depend on what was asked before, and `-i` finds what `-l` showed. A provider is
// enumerated only if a description could match it, or if the id of a later provider's probe is needed: those that cost
// something to enumerate stand last. Probes made on demand cannot follow the published ones directly (tick-2s would
// have to count the machine's tracepoints first), so they are numbered from `first_created_id` on, in order of making.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "contract/host.h"
#include "runtime/providers/provider.h"

namespace dscope {

class ProbeTable {
 public:
  static constexpr uint32_t first_created_id = 500001;

  // What descriptions may match later.
  struct Followed {
    std::vector<uint32_t> processes;  // that may execute other programs while they are traced
    bool has_all = false;             // what others execute may have probes of all processes
    bool has_modules = false;         // the kernel may load modules
  };
  explicit ProbeTable(std::vector<std::unique_ptr<Provider>> providers, Followed followed);
  explicit ProbeTable(std::vector<std::unique_ptr<Provider>> providers) : ProbeTable(std::move(providers), {}) {}

  // Ascending by id; pointers stay valid.
  std::vector<const Probe*> match(const ProbeDescription& description);
  // Host::announce.
  void announce(std::vector<std::vector<ProbeDescription>> clauses);
  // The description matches nothing any more.
  void stop_awaiting(const ProbeDescription& description) { given_up_.insert(to_string(description)); }
  void load_args(const Probe& probe, TypeTable& types);
  // Descriptions of the followed process's probes match those that `pid`, itself or a child, has now. Probes that it
  // had before stay valid.
  void renew(uint32_t process, uint32_t pid);
  // A process has mapped a file. True if it has probes of all processes that were asked for: they match from now on.
  bool renew_by_file(uint32_t pid, const std::string& path);
  // Whether kernel modules that are loaded later may have probes that the description matches. Never if nobody looks.
  bool may_match_later_modules(const ProbeDescription& description);
  // Modules have been loaded: what stood for their probes does so no longer.
  void renew_by_modules();
  // What probes that were made say of the stability of their provider.
  std::optional<ProviderAttributes> attributes(std::string_view provider);
  std::optional<ProbeMistake> mistake(const ProbeDescription& description);
  // Why nothing matches, in one sentence; empty if nothing is known.
  std::string why_missing(const ProbeDescription& description);
  // Host::absent.
  std::vector<std::string> absent(const ProbeDescription& description);

 private:
  std::string with_field_for_provider(const ProbeDescription& written);

  struct Entry {
    std::unique_ptr<Provider> provider;
    std::vector<std::unique_ptr<Probe>> probes;  // by index; null until it matched
  };
  struct Created {
    std::unique_ptr<Probe> probe;
    Provider* provider;
    bool is_past = false;  // of a program that the process no longer executes
  };

  // A published name like the one asked for, and how many letters differ.
  struct Nearest {
    static constexpr size_t limit = max_misspelt_letters;
    std::string name;
    size_t distance = limit + 1;
  };

  const Probe* find_id(uint32_t id);
  std::vector<const Probe*> match_id(const ProbeDescription& written);
  const Probe& published(Entry& entry, uint32_t first_id, size_t index);
  uint32_t first_id(const Entry& entry);
  static bool is_meant(const ProbeDescription& description, const Created& created);
  std::vector<const Probe*> match_published(const ProbeDescription& description);
  void create_missing(const ProbeDescription& description, const std::vector<const Probe*>& found);
  const Probe* add_created(Probe probe, Provider& provider);
  std::vector<const Probe*> expect(const ProbeDescription& description);
  Nearest nearest_name(Provider& provider, const ProbeDescription& description);
  static std::string known_names(Provider& provider, const ProbeDescription& description);
  std::string with_field_moved(const ProbeDescription& written);
  std::string as_tracepoint(const ProbeDescription& written);
  std::string misplaced_provider(const ProbeDescription& written);
  Provider& provider_of(const Probe& probe);

  std::vector<Entry> entries_;
  std::vector<Created> created_;
  std::unordered_map<std::string, std::vector<size_t>> created_names_;  // indices, by name
  Followed followed_;
  std::set<std::string> given_up_;                              // descriptions
  std::unordered_map<uint32_t, const TypeTable*> loaded_into_;  // by probe id
};

}  // namespace dscope
