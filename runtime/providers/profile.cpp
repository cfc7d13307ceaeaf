// profile provider: profile-N fires on every CPU, tick-N on one (providers.md 6). A few probes are published, others
// are created when a script names them.
#include <array>

#include "runtime/providers/interval_name.h"
#include "runtime/providers/provider.h"
#include "support/check.h"
#include "support/format.h"

namespace dscope {
namespace {

class ProfileProvider final : public Provider {
 public:
  std::string_view name() const override { return "profile"; }

  // Modules and functions of these probes are empty.
  bool could_match(const ProbeDescription& description) const override {
    if (!field_matches(description.provider, name())) return false;
    if (!field_matches(description.module, "") || !field_matches(description.function, "")) return false;
    return !is_literal(description.name) || read_interval_name(description.name).has_value();
  }

  size_t count() override { return published.size(); }
  ProbeName probe_name(size_t index) override { return {.name = published[index]}; }
  void describe(size_t index, Probe& probe) override { describe(*read_interval_name(published[index]), probe); }

  std::optional<Probe> create(const ProbeDescription& description) override {
    auto interval = is_literal(description.name) ? read_interval_name(description.name) : std::nullopt;
    if (!interval || interval->period_ns < min_interval_ns) return std::nullopt;
    Probe probe{.provider = std::string{name()}, .name = description.name};
    describe(*interval, probe);
    return probe;
  }

  std::string why_missing(const ProbeDescription& description) override {
    bool is_for_this_provider = description.provider == name() || is_interval_word(description.name);
    if (!is_literal(description.name) || !is_for_this_provider) return {};
    auto interval = read_interval_name(description.name);
    if (!interval)
      return "the dash is followed by a rate per second, as in profile-997, or by a time: tick-10ms, tick-5s";
    if (interval->period_ns >= min_interval_ns) return {};
    return "the shortest interval is 200 us, 5000 per second";
  }

 private:
  static void describe(const IntervalName& interval, Probe& probe) {
    if (interval.is_tick) probe.hook = HookTimer{interval.period_ns};
    else probe.hook = HookPerfClock{interval.period_ns};
    probe.raw_args = {{.kind = ArgSourceKind::KernelPc}, {.kind = ArgSourceKind::UserPc}};
    if (!interval.is_tick) probe.raw_args.push_back({.kind = ArgSourceKind::Lateness});
  }

  static constexpr std::array<std::string_view, 13> published = {
      "profile-97", "profile-199", "profile-499", "profile-997", "profile-1999", "profile-4001", "profile-4999",
      "tick-1",     "tick-10",     "tick-100",    "tick-500",    "tick-1000",    "tick-5000"};
};

}  // namespace

std::unique_ptr<Provider> make_profile_provider() { return std::make_unique<ProfileProvider>(); }

}  // namespace dscope
