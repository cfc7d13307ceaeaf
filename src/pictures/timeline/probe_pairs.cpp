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
