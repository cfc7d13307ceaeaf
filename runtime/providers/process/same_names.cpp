#include "runtime/providers/process/same_names.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "contract/cheap_return.h"
#include "support/format.h"

namespace dscope {

namespace {

// Whether the probes have the same hook. A function may be listed in several symbol tables.
bool has_same_first_hook(const Probe& one, const Probe& other) {
  return one.sites.empty() ? one.hook == other.hook
                           : !other.sites.empty() && one.sites.front().hook == other.sites.front().hook;
}

void make_sites(Probe& probe) {
  if (probe.sites.empty())
    probe.sites.push_back({.hook = std::exchange(probe.hook, {}), .raw_args = std::exchange(probe.raw_args, {})});
}

// Gives the sites of all namesakes to the first one. One alternative cannot stand for the sites of several functions.
void join_sites(Probe& first, std::vector<Probe>& others) {
  auto remove_cheap_return = [](Probe& probe) {
    if (cheap_return(probe) != nullptr) probe.sites.erase(probe.sites.begin());
  };
  remove_cheap_return(first);
  make_sites(first);
  for (Probe& other : others) {
    remove_cheap_return(other);
    make_sites(other);
    std::ranges::move(other.sites, std::back_inserter(first.sites));
  }
}

}  // namespace

void merge_same_names(std::vector<Probe>& probes) {
  std::vector<Probe> merged;
  merged.reserve(probes.size());
  std::unordered_map<std::string, size_t> by_name;
  std::unordered_map<size_t, std::vector<Probe>> namesakes;  // by the index of the first one of the name
  for (Probe& probe : probes) {
    auto [first, is_new] =
        by_name.try_emplace(fmt::format("{}:{}:{}", probe.module, probe.function, probe.name), merged.size());
    if (is_new) {
      merged.push_back(std::move(probe));
      continue;
    }
    std::vector<Probe>& others = namesakes[first->second];
    auto is_this = [&](const Probe& each) { return has_same_first_hook(each, probe); };
    if (!is_this(merged[first->second]) && std::ranges::none_of(others, is_this)) others.push_back(std::move(probe));
  }
  for (auto& [first, others] : namesakes)
    if (!others.empty()) join_sites(merged[first], others);
  probes = std::move(merged);
}

}  // namespace dscope
