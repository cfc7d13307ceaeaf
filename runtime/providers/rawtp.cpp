// rawtp provider: tracepoints with the arguments the kernel passes them, typed by BTF (providers.md 5.2).
#include "runtime/btf_types.h"
#include "runtime/providers/provider.h"
#include "runtime/providers/tracepoints.h"

namespace dscope {
namespace {

class RawtpProvider final : public Provider {
 public:
  RawtpProvider(Tracepoints& tracepoints, KernelTypes& kernel_types)
      : tracepoints_(tracepoints), kernel_types_(kernel_types) {}

  std::string_view name() const override { return "rawtp"; }

  bool could_match(const ProbeDescription& description) const override {
    return field_matches(description.provider, name()) && field_matches(description.function, "") &&
           could_match_tracepoint(description.name);
  }

  size_t count() override { return tracepoints_.tracepoints().size(); }
  ProbeName probe_name(size_t index) override {
    const Tracepoints::Row& row = tracepoints_.tracepoints()[index];
    return {.module = row.subsystem, .function = {}, .name = row.name};
  }

  bool may_gain_by_modules(const ProbeDescription& description) override {
    return !description.provider.empty() && could_match(description);
  }
  std::vector<Probe> of_later_modules(const ProbeDescription& description) override {
    std::vector<Probe> probes = tracepoints_.probes_of_later_modules(name(), description);
    for (Probe& probe : probes) describe(0, probe);
    return probes;
  }

  void describe(size_t, Probe& probe) override {
    probe.hook = HookRawTracepoint{probe.name};
    probe.has_typed_args = true;
  }

  void load_args(Probe& probe, TypeTable& types) override {
    auto parameters = kernel_types_.tracepoint_parameters(types, probe.name);
    probe.has_typed_args = parameters.has_value();
    if (!parameters) return;
    probe.raw_args.clear();
    for (const KernelTypes::Parameter& parameter : *parameters) {
      // The kernel widens each argument to 64 bits, without sign.
      ArgSource source{.kind = ArgSourceKind::CtxSlot, .index = static_cast<uint32_t>(probe.args.size())};
      if (types.is_integer(parameter.type) && types.size_of(parameter.type) <= 8) {
        source.size = static_cast<uint32_t>(types.size_of(parameter.type));
        source.is_signed = types.is_signed_integer(parameter.type);
      }
      probe.raw_args.push_back(source);
      probe.args.push_back({types.spell(parameter.type), parameter.type, parameter.name, source});
    }
  }

 private:
  Tracepoints& tracepoints_;
  KernelTypes& kernel_types_;
};

}  // namespace

std::unique_ptr<Provider> make_rawtp_provider(Tracepoints& tracepoints, KernelTypes& kernel_types) {
  return std::make_unique<RawtpProvider>(tracepoints, kernel_types);
}

}  // namespace dscope
