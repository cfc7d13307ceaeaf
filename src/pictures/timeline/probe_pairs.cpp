#include "pictures/timeline/probe_pairs.h"

#include <optional>
#include <string_view>
#include <utility>

#include "support/format.h"

namespace dscope {

namespace {

using Role = PairedProbe::Role;

struct PairName {
  Role role{};
  bool is_call = false;
  std::string stem, name;  // `name` stays empty if the function or the provider names the interval
};

std::optional<PairName> pair_name_of(std::string_view name) {
  if (name == "entry") return PairName{.role = Role::Begin, .is_call = true, .stem = "entry"};
  if (name == "return") return PairName{.role = Role::End, .is_call = true, .stem = "entry"};
  if (name == "begin" || name == "end")
    return PairName{.role = name == "begin" ? Role::Begin : Role::End, .stem = "begin"};
  static constexpr std::tuple<std::string_view, Role, std::string_view> ends[] = {{"-start", Role::Begin, "-start"},
                                                                                  {"-done", Role::End, "-start"},
                                                                                  {"-begin", Role::Begin, "-begin"},
                                                                                  {"-end", Role::End, "-begin"}};
  for (auto [end, role, common] : ends) {
    if (!name.ends_with(end) || name.size() == end.size()) continue;
    std::string stem{name.substr(0, name.size() - end.size())};
    return PairName{.role = role, .stem = stem + std::string(common), .name = stem};
  }
  return std::nullopt;
}

}  // namespace

std::string probe_text(const PictureProbe& probe) {
  return fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
}

ProbePairs::ProbePairs(const std::vector<PictureInterval>& intervals) {
  constexpr uint32_t first_number = 1U << 31;  // above those of probes
  std::map<std::string, uint32_t> numbers;
  for (Role role : {Role::End, Role::Begin})
    for (const PictureInterval& each : intervals) {
      if (each.is_begin != (role == Role::Begin)) continue;
      uint32_t number =
          numbers.try_emplace(each.name, first_number + static_cast<uint32_t>(numbers.size())).first->second;
      clauses_[each.clause].push_back({.role = role, .pair = number, .name = each.name});
    }
}

const std::vector<PairedProbe>& ProbePairs::of_clause(uint32_t clause) const {
  static const std::vector<PairedProbe> none;
  auto found = clauses_.find(clause);
  return found == clauses_.end() ? none : found->second;
}

void ProbePairs::add(const std::vector<PictureProbe>& probes) {
  for (const PictureProbe& probe : probes) {
    auto name = pair_name_of(probe.name);
    if (!name) {
      probes_.emplace_back();
      ends_.push_back(nullptr);
      continue;
    }
    auto [found, is_new] = pairs_.try_emplace({probe.provider, probe.module, probe.function, name->stem});
    Ends& ends = found->second;
    if (is_new) ends.number = static_cast<uint32_t>(pairs_.size());
    (name->role == Role::Begin ? ends.has_begin : ends.has_end) = true;
    std::string shown = !name->name.empty() ? name->name : !probe.function.empty() ? probe.function : probe.provider;
    probes_.push_back({.role = name->role,
                       .pair = ends.number,
                       .is_call = name->is_call,
                       .is_syscall = probe.provider == "syscall",
                       .name = std::move(shown)});
    ends_.push_back(&ends);
  }
}

PairedProbe ProbePairs::at(uint32_t probe) const {
  if (probe >= probes_.size() || ends_[probe] == nullptr) return {};
  bool is_complete = ends_[probe]->has_begin && ends_[probe]->has_end;
  return is_complete ? probes_[probe] : PairedProbe{};
}

}  // namespace dscope
