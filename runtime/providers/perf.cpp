// perf provider: perf:software:EVENT:COUNT and perf:hardware:EVENT:COUNT fire at every COUNT-th event (providers.md
// 17). The events are those of cpc; no probes are published.
#include <algorithm>
#include <cstring>

#include "runtime/providers/counted_events.h"
#include "runtime/providers/provider.h"
#include "support/format.h"

namespace dscope {
namespace {

bool is_counted(std::string_view module, std::string_view event) {
  std::vector<std::string> names = software_event_names();
  bool is_software = std::find(names.begin(), names.end(), event) != names.end();
  return module == (is_software ? "software" : "hardware");
}

class PerfProvider final : public Provider {
 public:
  std::string_view name() const override { return "perf"; }

  bool could_match(const ProbeDescription& description) const override {
    return description.provider == name() && is_literal(description.function) &&
           read_event_count(description.name).has_value() && is_counted(description.module, description.function);
  }

  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}

  std::optional<Probe> create(const ProbeDescription& description) override {
    auto hook = find_hook(description);
    if (!hook || counting_error(*hook) != 0) return std::nullopt;
    return Probe{
        .provider = std::string{name()},
        .module = description.module,
        .function = description.function,
        .name = description.name,
        .hook = *hook,
        .raw_args = {
            {.kind = ArgSourceKind::KernelPc}, {.kind = ArgSourceKind::UserPc}, {.kind = ArgSourceKind::EventAddress}}};
  }

  std::string why_missing(const ProbeDescription& description) override {
    if (description.provider != name()) return {};
    if (!could_match(description))
      return "its probes are perf:software:EVENT:COUNT and perf:hardware:EVENT:COUNT, as in "
             "perf:software:page_faults:1";
    auto hook = find_hook(description);
    if (!hook) return fmt::format("there is no event `{}`, or its smallest count is larger", description.function);
    int error = counting_error(*hook);
    return error == 0 ? std::string{}
                      : fmt::format("this machine does not count {}: {}", description.function, strerror(error));
  }

 private:
  static std::optional<HookPerfEvent> find_hook(const ProbeDescription& description) {
    auto event = find_counted_event(description.function);
    auto period = read_event_count(description.name);
    if (!event || !period || *period < event->min_period) return std::nullopt;
    return counting_hook(*event, *period);
  }
};

}  // namespace

std::unique_ptr<Provider> make_perf_provider() { return std::make_unique<PerfProvider>(); }

}  // namespace dscope
