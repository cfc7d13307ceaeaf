// ProbeTable: all probes of the session, by id and by description.
//
// Ids: published probes are numbered densely from 1, provider by provider in the given order, within a provider in
// listing order. An id therefore does not depend on earlier queries, and `-i` accepts what `-l` has printed. A provider
// is enumerated only if a description could match it or if the id of a later provider's probe is needed, so providers
// that are expensive to enumerate come last. Probes made on demand cannot follow the published ones directly (tick-2s
// would have to count the machine's tracepoints first): they are numbered from `first_created_id` in order of creation.
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

  // Sources of probes that descriptions may match later.
  struct Followed {
    std::vector<uint32_t> processes;  // followed into the programs that they execute
    bool has_all = false;             // any program that is executed may have probes of all processes
    bool has_modules = false;         // the kernel may load modules
  };
  explicit ProbeTable(std::vector<std::unique_ptr<Provider>> providers, Followed followed);
  explicit ProbeTable(std::vector<std::unique_ptr<Provider>> providers) : ProbeTable(std::move(providers), {}) {}

  // The matching probes, ascending by id; the pointers stay valid as long as the table.
  std::vector<const Probe*> match(const ProbeDescription& description);
  // Host::announce.
  void announce(std::vector<std::vector<ProbeDescription>> clauses);
  // From now on the description matches nothing.
  void stop_awaiting(const ProbeDescription& description) { abandoned_.insert(to_string(description)); }
  void load_args(const Probe& probe, TypeTable& types);
  // As those of Host.
  void load_variables(const Probe& probe, TypeTable& types);
  const TracedVariable* find_variable(const Probe& probe, TypeTable& types, const std::string& name);
  std::string explain_variable(const Probe& probe, const std::string& name) {
    return provider_of(probe).explain_variable(probe, name);
  }
  // `pid`, the followed `process` or one of its children, has executed another program: descriptions of the process's
  // probes match those of `pid` from now on. Earlier probes stay valid.
  void refresh_process(uint32_t process, uint32_t pid);
  // A process has mapped a file. True if the file has probes that match earlier descriptions of probes of all
  // processes; these match from now on.
  bool refresh_file(uint32_t pid, const std::string& path);
  // True if kernel modules are followed and one that is loaded later may have probes that match the description.
  bool may_match_later_modules(const ProbeDescription& description);
  // Modules have been loaded: drops the placeholders for their probes.
  void refresh_modules();
  // The stability that created probes define for their provider.
  std::optional<ProviderAttributes> attributes(std::string_view provider);
  std::optional<ProbeMistake> mistake(const ProbeDescription& description);
  // One sentence that explains why nothing matches; empty if there is no explanation.
  std::string why_missing(const ProbeDescription& description);
  // Host::absent.
  std::vector<std::string> absent(const ProbeDescription& description);

 private:
  std::string suggest_provider_field(const ProbeDescription& written);

  struct Entry {
    std::unique_ptr<Provider> provider;
    std::vector<std::unique_ptr<Probe>> probes;  // by index; null until the probe has matched
  };
  struct Created {
    std::unique_ptr<Probe> probe;
    Provider* provider;
    bool is_outdated = false;  // belongs to a program that the process no longer executes
  };

  // The published name nearest to a misspelt one, and its edit distance.
  struct Nearest {
    static constexpr size_t limit = max_misspelt_letters;
    std::string name;
    size_t distance = limit + 1;
  };

  const Probe* find_id(uint32_t id);
  std::vector<const Probe*> match_id(const ProbeDescription& written);
  const Probe& published(Entry& entry, uint32_t first_id, size_t index);
  uint32_t first_id(const Entry& entry);
  static bool matches_created(const ProbeDescription& description, const Created& created);
  std::vector<const Probe*> match_published(const ProbeDescription& description);
  void create_missing(const ProbeDescription& description, const std::vector<const Probe*>& found);
  const Probe* add_created(Probe probe, Provider& provider);
  std::vector<const Probe*> placeholder_for(const ProbeDescription& description);
  Nearest nearest_name(Provider& provider, const ProbeDescription& description);
  static std::string list_names(Provider& provider, const ProbeDescription& description);
  std::string suggest_swapped_field(const ProbeDescription& written);
  std::string suggest_tracepoint(const ProbeDescription& written);
  std::string misplaced_provider(const ProbeDescription& written);
  Provider& provider_of(const Probe& probe);

  std::vector<Entry> entries_;
  std::vector<Created> created_;
  std::unordered_map<std::string, std::vector<size_t>> created_names_;  // indices, by name
  Followed followed_;
  std::set<std::string> abandoned_;  // descriptions
  // By probe id: the table that has the types of its arguments, and of its variables.
  std::unordered_map<uint32_t, const TypeTable*> loaded_into_, variables_in_;
};

}  // namespace dscope
