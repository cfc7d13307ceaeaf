// lsm provider: the hooks at which the kernel asks its security modules, lsm:vmlinux:file_open:entry (providers.md 17).
// Programs always return the value that keeps the kernel's decision.
#include <algorithm>

#include "runtime/kernel/btf_types.h"
#include "runtime/kernel/machine_facts.h"
#include "runtime/kernel/machine_record.h"
#include "runtime/providers/provider.h"
#include "support/read_file.h"

namespace dscope {
namespace {

constexpr std::string_view entry = "entry", kernel = "vmlinux";
constexpr uint32_t word = 8;

class LsmProvider final : public Provider {
 public:
  explicit LsmProvider(KernelTypes& kernel_types) : kernel_types_(kernel_types) {}

  std::string_view name() const override { return "lsm"; }

  bool could_match(const ProbeDescription& description) const override {
    return field_matches(description.provider, name()) && field_matches(description.module, kernel) &&
           field_matches(description.name, entry) && could_match_tracepoint(description.function);
  }

  size_t count() override { return hooks().size(); }
  ProbeName probe_name(size_t index) override { return {.module = kernel, .function = hooks()[index], .name = entry}; }

  void describe(size_t, Probe& probe) override {
    const BtfIndex& types = *kernel_types_.vmlinux();
    HookFunction hook{.module = std::string{kernel},
                      .function = probe.function,
                      .type_id = types.find_object(BTF_KIND_FUNC, "bpf_lsm_" + probe.function).value_or(0),
                      .supports_trampoline = true,
                      .mechanism = FunctionMechanism::Security};
    auto parameters = types.trailing<btf_param>(types.type(hook.type_id).type);
    for (uint32_t i = 0; i < parameters.size(); ++i)
      probe.raw_args.push_back({.kind = ArgSourceKind::FunctionArg, .index = i});
    probe.has_typed_args = true;
    probe.is_available = hook.type_id != 0 && refusal().empty();
    probe.hook = std::move(hook);
  }

  void load_args(Probe& probe, TypeTable& types) override {
    auto prototype = kernel_types_.function_prototype(types, kernel, std::get<HookFunction>(probe.hook).type_id);
    for (const KernelTypes::Parameter& parameter : prototype.parameters) {
      ArgSource source{.kind = ArgSourceKind::FunctionArg, .index = static_cast<uint32_t>(probe.args.size())};
      uint64_t size = types.size_of(parameter.type);
      if (types.is_scalar(parameter.type) && size != 0 && size <= word) {
        source.size = static_cast<uint32_t>(size);
        source.is_signed = types.is_signed_integer(parameter.type);
      }
      probe.args.push_back({parameter.type_text, parameter.type, parameter.name, source});
    }
  }

  std::string why_missing(const ProbeDescription& description) override {
    if (description.provider != name()) return {};
    if (std::string text = refusal(); !text.empty()) return text;
    if (!field_matches(description.name, entry)) return "its probes are called `entry`";
    return {};
  }

 private:
  // The hooks of security modules: the members of union security_list_options.
  const std::vector<std::string_view>& hooks() {
    if (hooks_) return *hooks_;
    hooks_.emplace();
    const BtfIndex* types = kernel_types_.vmlinux();
    auto list = types != nullptr ? types->find(BTF_KIND_UNION, "security_list_options") : std::nullopt;
    if (!list) return *hooks_;
    for (const btf_member& member : types->trailing<btf_member>(*list)) hooks_->push_back(types->name(member.name_off));
    std::sort(hooks_->begin(), hooks_->end());
    return *hooks_;
  }

  // Why programs cannot be attached to these hooks; empty if they can.
  const std::string& refusal() {
    if (!refusal_) refusal_ = find_refusal();
    return *refusal_;
  }

  std::string find_refusal() {
    const BtfIndex* types = kernel_types_.vmlinux();
    auto example = types != nullptr ? types->find_object(BTF_KIND_FUNC, "bpf_lsm_file_open") : std::nullopt;
    if (!example) return "this kernel was built without BPF security modules (CONFIG_BPF_LSM)";
    auto modules = read_file(machine_path("/sys/kernel/security/lsm").c_str());
    if (modules) std::replace(modules->begin(), modules->end(), '\n', ',');
    if (modules && ("," + *modules + ",").find(",bpf,") == std::string::npos)
      return "this kernel was started without BPF security modules: `bpf` is missing in its parameter lsm=";
    if (!takes_security_program(*example)) return "this kernel does not permit BPF programs as security modules";
    return {};
  }

  KernelTypes& kernel_types_;
  std::optional<std::vector<std::string_view>> hooks_;  // sorted; empty until needed
  std::optional<std::string> refusal_;
};

}  // namespace

std::unique_ptr<Provider> make_lsm_provider(KernelTypes& kernel_types) {
  return std::make_unique<LsmProvider>(kernel_types);
}

}  // namespace dscope
