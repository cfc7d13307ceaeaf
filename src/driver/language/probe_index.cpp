#include "driver/language/probe_index.h"

#include <algorithm>

#include "support/text/glob.h"

namespace dscope {

ProbeIndex::ProbeIndex(Host& host) {
  ProbeDescription all;
  all.is_for_listing = true;
  for (const Probe* probe : host.match(all)) add(probe->provider, probe->module, probe->function, probe->name);
}

uint32_t ProbeIndex::intern(std::string_view name) {
  auto [entry, is_new] = numbers_.try_emplace(std::string(name), static_cast<uint32_t>(names_.size()));
  if (is_new) names_.emplace_back(name);
  return entry->second;
}

void ProbeIndex::add(std::string_view provider, std::string_view module, std::string_view function,
                     std::string_view name) {
  probes_.push_back({{intern(provider), intern(module), intern(function), intern(name)}});
}

std::vector<bool> ProbeIndex::matching_names(std::string_view pattern) const {
  std::vector<bool> result(names_.size(), pattern.empty());
  if (pattern.empty()) return result;
  for (size_t i = 0; i < names_.size(); ++i) result[i] = glob_matches(pattern, names_[i]);
  return result;
}

template <typename Visit>
void ProbeIndex::for_each_match(const ProbeFields& fields, Visit visit) const {
  std::vector<bool> matches[4];
  for (size_t i = 0; i < 4; ++i) matches[i] = matching_names(fields.field[i]);
  for (const Row& row : probes_) {
    bool is_match = true;
    for (size_t i = 0; i < 4 && is_match; ++i) is_match = matches[i][row.field[i]];
    if (is_match) visit(row);
  }
}

ProbeIndex::Values ProbeIndex::complete(const ProbeFields& fields, ProbeField field, std::string_view prefix,
                                        size_t limit) const {
  ProbeFields others = fields;
  auto index = static_cast<size_t>(field);
  others.field[index] = {};
  std::vector<uint32_t> counts(names_.size());
  for_each_match(others, [&](const Row& row) { ++counts[row.field[index]]; });
  Values result;
  for (uint32_t i = 0; i < names_.size(); ++i)
    if (counts[i] > 0 && !names_[i].empty() && names_[i].starts_with(prefix))
      result.values.push_back({names_[i], counts[i]});
  result.is_complete = result.values.size() <= limit;
  auto by_text = [](const Value& a, const Value& b) { return a.text < b.text; };
  auto end = result.values.begin() + static_cast<ptrdiff_t>(std::min(limit, result.values.size()));
  std::partial_sort(result.values.begin(), end, result.values.end(), by_text);
  result.values.erase(end, result.values.end());
  return result;
}

ProbeIndex::Matches ProbeIndex::match(const ProbeFields& fields, size_t max_examples) const {
  Matches result;
  for_each_match(fields, [&](const Row& row) {
    if (++result.count > max_examples) return;
    result.examples.push_back(fmt::format("{}:{}:{}:{}", names_[row.field[0]], names_[row.field[1]],
                                          names_[row.field[2]], names_[row.field[3]]));
  });
  return result;
}

bool ProbeIndex::has_provider(std::string_view name) const {
  auto found = numbers_.find(std::string(name));
  if (found == numbers_.end()) return false;
  return std::ranges::any_of(probes_, [&](const Row& row) { return row.field[0] == found->second; });
}

}  // namespace dscope
