// rawtp provider: tracepoints with the arguments that the kernel passes to them, typed by BTF (providers.md 5.2).
#include "runtime/kernel/btf_types.h"
#include "runtime/providers/tracepoint_provider.h"

namespace dscope {
namespace {

class RawtpProvider final : public TracepointProvider {
 public:
  RawtpProvider(Tracepoints& tracepoints, KernelTypes& kernel_types)
      : TracepointProvider(tracepoints), kernel_types_(kernel_types) {}

  std::string_view name() const override { return "rawtp"; }

  void load_args(Probe& probe, TypeTable& types) override {
    auto parameters = kernel_types_.tracepoint_parameters(types, probe.name);
    probe.has_typed_args = parameters.has_value();
    if (!parameters) return;
    probe.raw_args.clear();
    for (const KernelTypes::Parameter& parameter : *parameters) {
      // The kernel zero-extends each argument to 64 bits.
      ArgSource source{.kind = ArgSourceKind::CtxSlot, .index = static_cast<uint32_t>(probe.args.size())};
      if (types.is_integer(parameter.type) && types.size_of(parameter.type) <= 8) {
        source.size = static_cast<uint32_t>(types.size_of(parameter.type));
        source.is_signed = types.is_signed_integer(parameter.type);
      }
      probe.raw_args.push_back(source);
      probe.args.push_back({parameter.type_text, parameter.type, parameter.name, source});
    }
  }

 private:
  const std::vector<Tracepoints::Row>& rows() override { return tracepoints_.tracepoints(); }
  Hook hook_of(const Probe& probe) const override { return HookRawTracepoint{probe.name}; }

  KernelTypes& kernel_types_;
};

}  // namespace

std::unique_ptr<Provider> make_rawtp_provider(Tracepoints& tracepoints, KernelTypes& kernel_types) {
  return std::make_unique<RawtpProvider>(tracepoints, kernel_types);
}

}  // namespace dscope
