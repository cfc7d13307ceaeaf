// USDT: static probes of running processes, python123:python3.11::gc-start (providers.md 8). The provider of a probe is
// the name in the program, followed by the process id. Nothing is published: a description makes the probes it names.
#include <algorithm>
#include <charconv>
#include <set>

#include "runtime/providers/process_functions.h"
#include "runtime/providers/provider.h"
#include "runtime/providers/usdt_operand.h"
#include "support/format.h"

namespace dscope {
namespace {

// "python123": the name, which may be a pattern, and the process.
struct ProviderOfProcess {
  std::string_view name;
  uint32_t pid = 0;
};

std::optional<ProviderOfProcess> split(std::string_view provider) {
  size_t digits = provider.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits == provider.size() || provider.substr(0, digits) == "pid") return std::nullopt;
  ProviderOfProcess result{.name = provider.substr(0, digits)};
  auto parsed = std::from_chars(provider.data() + digits, provider.data() + provider.size(), result.pid);
  return parsed.ec == std::errc{} && result.pid != 0 ? std::optional{result} : std::nullopt;
}

// Two underscores stand for a dash.
std::string probe_name(std::string_view name) {
  std::string text;
  for (size_t at = 0; at < name.size(); ++at) {
    bool is_dash = name.substr(at).starts_with("__");
    text += is_dash ? '-' : name[at];
    if (is_dash) ++at;
  }
  return text;
}

class UsdtProvider final : public Provider {
 public:
  std::string_view name() const override { return "usdt"; }
  bool could_match(const ProbeDescription& description) const override {
    return split(description.provider).has_value();
  }
  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}

  ProbeDescription as_published(ProbeDescription description) const override {
    auto wanted = split(description.provider);
    return wanted ? processes_.as_published(wanted->pid, std::move(description)) : description;
  }

  std::vector<Probe> create_all(const ProbeDescription& description) override;
  void load_args(Probe& probe, TypeTable& types) override;

 private:
  void add_object(ProcessFunctions& process, size_t index, const ProviderOfProcess& wanted,
                  const ProbeDescription& description, std::vector<Probe>& probes);

  KnownProcesses processes_;
  std::set<std::string> done_;  // descriptions
};

void UsdtProvider::add_object(ProcessFunctions& process, size_t index, const ProviderOfProcess& wanted,
                              const ProbeDescription& description, std::vector<Probe>& probes) {
  const ProcessObject& object = process.object(index);
  for (const ProcessFunctions::StaticProbe& each : process.static_probes(index)) {
    std::string name = dscope::probe_name(each.note.name);
    bool is_wanted = field_matches(wanted.name, each.note.provider) && field_matches(description.name, name) &&
                     field_matches(description.function, each.function);
    if (!is_wanted) continue;
    std::string provider = fmt::format("{}{}", each.note.provider, wanted.pid);
    auto known = std::find_if(probes.begin(), probes.end(), [&](const Probe& probe) {
      return probe.provider == provider && probe.module == object.name && probe.function == each.function &&
             probe.name == name;
    });
    if (known == probes.end())
      known = probes.insert(probes.end(), Probe{.provider = provider,
                                                .module = object.name,
                                                .function = each.function,
                                                .name = name,
                                                .has_typed_args = true});
    known->sites.push_back({.hook = HookUprobe{.path = object.file,
                                               .offset = each.note.offset,
                                               .pid = wanted.pid,
                                               .reference_counter = each.note.semaphore},
                            .raw_args = read_usdt_operands(each.note.arguments)});
  }
}

std::vector<Probe> UsdtProvider::create_all(const ProbeDescription& description) {
  std::vector<Probe> probes;
  auto wanted = split(description.provider);
  if (!wanted) return probes;
  ProcessFunctions* process = processes_.open(wanted->pid);
  // By then the module has its published name, however it was written: asked again, it is the same description.
  if (!done_.insert(to_string(as_published(description))).second) return probes;
  for (size_t i = 0; process != nullptr && i < process->size(); ++i)
    if (ProcessFunctions::is_named(process->object(i), description.module))
      add_object(*process, i, *wanted, description, probes);
  return probes;
}

// The program tells sizes and signs only.
void UsdtProvider::load_args(Probe& probe, TypeTable& types) {
  for (const ArgSource& source : probe.sites.front().raw_args)
    probe.args.push_back({.type_text = fmt::format("{}int{}_t", source.is_signed ? "" : "u", source.size * 8),
                          .type = types.integer(source.size, source.is_signed),
                          .name = {},
                          .source = source});
}

}  // namespace

std::unique_ptr<Provider> make_usdt_provider() { return std::make_unique<UsdtProvider>(); }

}  // namespace dscope
