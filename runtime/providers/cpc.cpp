// cpc provider: fires at every n-th event that the processor or the kernel counts (providers.md 15). Names are
// event-mode[-mask]-count. One probe per event of this machine is published; others are created when a script names
// them.
#include <algorithm>
#include <cstring>

#include "runtime/providers/counted_events.h"
#include "runtime/providers/provider.h"
#include "support/format.h"

namespace dscope {
namespace {

constexpr uint64_t published_period = 1'000'000'000;

struct CpcName {
  std::string event;
  bool in_user = true, in_kernel = true;
  std::optional<uint64_t> mask;
  uint64_t count = 0;
};

// Removes and returns the part after the last dash.
std::string_view remove_last_part(std::string_view& rest) {
  size_t dash = rest.rfind('-');
  std::string_view last = dash == std::string_view::npos ? std::string_view{} : rest.substr(dash + 1);
  rest.remove_suffix(dash == std::string_view::npos ? 0 : last.size() + 1);
  return last;
}

// Parses a unit mask: 0x and one or two digits.
std::optional<uint64_t> read_mask(std::string_view text) {
  uint64_t mask = 0;
  for (char digit : text.substr(2)) {
    std::string_view digits = "0123456789abcdef";
    size_t value = digits.find(digit);
    if (value == std::string_view::npos) return std::nullopt;
    mask = mask << 4 | value;
  }
  return text.size() > 2 && text.size() <= 4 ? std::optional{mask} : std::nullopt;
}

std::optional<CpcName> read_cpc_name(std::string_view name) {
  CpcName read;
  auto count = read_event_count(remove_last_part(name));
  if (!count) return std::nullopt;
  read.count = *count;
  std::string_view mode = remove_last_part(name);
  if (mode.starts_with("0x")) {
    read.mask = read_mask(mode);
    if (!read.mask) return std::nullopt;
    mode = remove_last_part(name);
  }
  if (mode != "user" && mode != "kernel" && mode != "all") return std::nullopt;
  read.in_user = mode != "kernel";
  read.in_kernel = mode != "user";
  read.event = name;
  return name.empty() ? std::nullopt : std::optional{read};
}

class CpcProvider final : public Provider {
 public:
  std::string_view name() const override { return "cpc"; }

  bool could_match(const ProbeDescription& description) const override {
    if (!field_matches(description.provider, name())) return false;
    if (!field_matches(description.module, "") || !field_matches(description.function, "")) return false;
    return !is_literal(description.name) || read_cpc_name(description.name).has_value();
  }

  size_t count() override { return names().size(); }
  ProbeName probe_name(size_t index) override { return {.name = names()[index]}; }
  void describe(size_t index, Probe& probe) override {
    auto hook = find_hook(names()[index]);
    if (hook) describe(*hook, probe);
  }

  std::optional<Probe> create(const ProbeDescription& description) override {
    auto hook = is_literal(description.name) ? find_hook(description.name) : std::nullopt;
    if (!hook || counting_error(*hook) != 0) return std::nullopt;
    Probe probe{.provider = std::string{name()}, .name = description.name};
    describe(*hook, probe);
    return probe;
  }

  std::string why_missing(const ProbeDescription& description) override {
    if (!is_literal(description.name)) return {};
    auto read = read_cpc_name(description.name);
    if (!read && description.provider != name()) return {};
    if (!read) return "names of cpc probes are event-mode-count, as in page_faults-all-100; modes: user kernel all";
    auto event = find_counted_event(read->event);
    if (!event) return fmt::format("there is no event `{}`; -l -P cpc lists the events of this machine", read->event);
    if (read->count < event->min_period)
      return fmt::format("the smallest count of {} is {}{}", read->event, event->min_period,
                         read->event.ends_with("_clock") ? " ns" : "");
    auto hook = find_hook(description.name);
    if (!hook) return fmt::format("only raw events (r1a2b) take a mask");
    int error = counting_error(*hook);
    return error == 0 ? std::string{} : fmt::format("this machine does not count {}: {}", read->event, strerror(error));
  }

 private:
  static std::optional<HookPerfEvent> find_hook(std::string_view name) {
    auto read = read_cpc_name(name);
    auto event = read ? find_counted_event(read->event) : std::nullopt;
    if (!event || read->count < event->min_period) return std::nullopt;
    HookPerfEvent hook = counting_hook(*event, read->count);
    hook.in_user = read->in_user;
    hook.in_kernel = read->in_kernel;
    if (!read->mask) return hook;
    if (!read->event.starts_with("r")) return std::nullopt;
    hook.config = (hook.config & ~0xff00ull) | *read->mask << 8;
    return hook;
  }

  static void describe(const HookPerfEvent& hook, Probe& probe) {
    probe.hook = hook;
    probe.raw_args = {{.kind = ArgSourceKind::KernelPc},
                      {.kind = ArgSourceKind::UserPc},
                      {.kind = ArgSourceKind::Constant, .offset = static_cast<int64_t>(hook.period)}};
  }

  // The names of the events that this machine can count.
  const std::vector<std::string>& names() {
    if (is_read_) return names_;
    is_read_ = true;
    for (const auto& events : {software_event_names(), hardware_event_names()})
      for (const std::string& event : events)
        if (auto counted = find_counted_event(event);
            counted && counting_error(counting_hook(*counted, published_period)) == 0)
          names_.push_back(fmt::format("{}-all-{}", event, published_period));
    std::sort(names_.begin(), names_.end());
    return names_;
  }

  bool is_read_ = false;
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Provider> make_cpc_provider() { return std::make_unique<CpcProvider>(); }

}  // namespace dscope
