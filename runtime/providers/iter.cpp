// iter provider: fires for each kernel object of a kind: iter::task:, iter::tcp: and so on (providers.md 17). BTF
// describes a kind by a struct bpf_iter__KIND and a function bpf_iter_KIND.
#include <algorithm>
#include <array>

#include "runtime/kernel/btf_types.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/text/format_join.h"

namespace dscope {
namespace {

constexpr std::string_view struct_prefix = "bpf_iter__", function_prefix = "bpf_iter_";
// Kinds that iterate over one BPF map, which a description cannot name.
constexpr std::array<std::string_view, 3> of_one_map = {"bpf_map_elem", "bpf_sk_storage_map", "sockmap"};

std::string_view pointed_struct(const BtfIndex& types, uint32_t id) {
  auto is_qualifier = [](uint32_t kind) {
    return kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE || kind == BTF_KIND_TYPE_TAG;
  };
  if (btf_kind(types.type(id)) != BTF_KIND_PTR) return {};
  id = types.type(id).type;
  while (is_qualifier(btf_kind(types.type(id)))) id = types.type(id).type;
  return btf_kind(types.type(id)) == BTF_KIND_STRUCT ? types.name_of(id) : std::string_view{};
}

class IterProvider final : public Provider {
 public:
  explicit IterProvider(KernelTypes& kernel_types) : kernel_types_(kernel_types) {}

  std::string_view name() const override { return "iter"; }

  // The kind is both function and name of the probe, so that iter::task: and iter:::task match. A description without a
  // provider must not match: it asks for events, not for existing objects.
  bool could_match(const ProbeDescription& description) const override {
    bool is_named = description.is_for_listing || is_literal(description.provider);
    return is_named && field_matches(description.provider, name()) && field_matches(description.module, "vmlinux") &&
           could_match_tracepoint(description.function) && could_match_tracepoint(description.name);
  }

  size_t count() override { return kinds().size(); }
  ProbeName probe_name(size_t index) override {
    return {.module = "vmlinux", .function = kinds()[index], .name = kinds()[index]};
  }

  void describe(size_t index, Probe& probe) override {
    const BtfIndex& types = *kernel_types_.vmlinux();
    HookIterator hook{.target = kinds()[index]};
    hook.type_id = types.find_object(BTF_KIND_FUNC, std::string{function_prefix} + hook.target).value_or(0);
    auto parameters = types.trailing<btf_param>(types.type(hook.type_id).type);
    for (uint32_t i = 1; i < parameters.size(); ++i) {
      if (btf_kind(types.type(parameters[i].type)) != BTF_KIND_PTR) continue;
      hook.objects.push_back(i);
      if (!hook.subject && pointed_struct(types, parameters[i].type) == "task_struct") hook.subject = i;
    }
    probe.has_typed_args = true;
    probe.is_available = hook.type_id != 0;
    probe.hook = std::move(hook);
  }

  // The object is the first argument, the iterator's own state the last.
  void load_args(Probe& probe, TypeTable& types) override {
    uint32_t function = std::get<HookIterator>(probe.hook).type_id;
    KernelTypes::Prototype prototype = kernel_types_.function_prototype(types, "vmlinux", function);
    auto add = [&](uint32_t index) {
      const KernelTypes::Parameter& parameter = prototype.parameters[index];
      ArgSource source{.kind = ArgSourceKind::CtxSlot, .index = index};
      if (types.is_integer(parameter.type) && types.size_of(parameter.type) <= 8) {
        source.size = static_cast<uint32_t>(types.size_of(parameter.type));
        source.is_signed = types.is_signed_integer(parameter.type);
      }
      probe.raw_args.push_back(source);
      probe.args.push_back({parameter.type_text, parameter.type, parameter.name, source});
    };
    probe.raw_args.clear();
    for (uint32_t i = 1; i < prototype.parameters.size(); ++i) add(i);
    if (!prototype.parameters.empty()) add(0);
  }

  std::string why_missing(const ProbeDescription& description) override {
    if (description.provider != name()) return {};
    if (kinds().empty()) return "this kernel has no iterators (Linux 5.8), or no types in /sys/kernel/btf/vmlinux";
    return fmt::format("its probes are iter::KIND:, where KIND is one of {}", fmt::join(kinds(), " "));
  }

 private:
  const std::vector<std::string>& kinds() {
    if (kinds_) return *kinds_;
    kinds_.emplace();
    const BtfIndex* types = kernel_types_.vmlinux();
    if (types == nullptr) return *kinds_;
    for (std::string_view each : types->names(BTF_KIND_STRUCT)) {
      if (!each.starts_with(struct_prefix)) continue;
      std::string_view kind = each.substr(struct_prefix.size());
      bool is_of_verifier = kind.find("__") != std::string_view::npos;  // task__safe_trusted
      bool is_of_one_map = std::find(of_one_map.begin(), of_one_map.end(), kind) != of_one_map.end();
      if (!is_of_verifier && !is_of_one_map) kinds_->emplace_back(kind);
    }
    std::sort(kinds_->begin(), kinds_->end());
    kinds_->erase(std::unique(kinds_->begin(), kinds_->end()), kinds_->end());
    return *kinds_;
  }

  KernelTypes& kernel_types_;
  std::optional<std::vector<std::string>> kinds_;  // sorted; empty until needed
};

}  // namespace

std::unique_ptr<Provider> make_iter_provider(KernelTypes& kernel_types) {
  return std::make_unique<IterProvider>(kernel_types);
}

}  // namespace dscope
