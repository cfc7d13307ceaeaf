// vfs provider: the fbt probes of kernel functions vfs_*, with open files translated to fileinfo_t (providers.md 16.3).
#include <algorithm>

#include "runtime/kernel/kernel_functions.h"
#include "runtime/providers/provider.h"

namespace dscope {
namespace {

constexpr std::string_view kernel = "vmlinux", function_prefix = "vfs_";

class VfsProvider final : public Provider {
 public:
  VfsProvider(KernelFunctions& functions, KernelTypes& kernel_types)
      : functions_(functions), functions_probes_(make_fbt_provider(functions, kernel_types)) {}

  std::string_view name() const override { return "vfs"; }

  // Descriptions without a provider match fbt only, except the empty description, which matches both.
  bool could_match(const ProbeDescription& description) const override {
    bool is_everything = description.module.empty() && description.function.empty() && description.name.empty();
    if (description.provider.empty() && !is_everything) return false;
    ProbeDescription function = as_function(description);
    bool is_own = !is_literal(description.function) || description.function.starts_with(function_prefix);
    return is_own && field_matches(description.provider, name()) && field_matches(description.module, kernel) &&
           functions_probes_->could_match(function);
  }

  size_t count() override { return (range().end - range().begin) * 2; }
  ProbeName probe_name(size_t index) override { return functions_probes_->probe_name(in_all(index)); }
  bool exists(size_t index) override { return functions_probes_->exists(in_all(index)); }
  void describe(size_t index, Probe& probe) override {
    functions_probes_->describe(in_all(index), probe);
    // load_args() sets the real arguments. Until then this argument announces the translator that they may need.
    probe.args = {file_argument()};
  }

  void load_args(Probe& probe, TypeTable& types) override {
    functions_probes_->load_args(probe, types);
    for (ProbeArg& argument : probe.args)
      if (argument.type_text == "struct file *") argument.translated_text = file_argument().translated_text;
  }

  std::string why_missing(const ProbeDescription& description) override {
    if (description.provider != name()) return {};
    if (is_literal(description.function) && !description.function.starts_with(function_prefix))
      return "its probes are the kernel functions vfs_*; fbt has the others";
    return functions_probes_->why_missing(as_function(description));
  }

 private:
  struct Range {
    size_t begin = 0, end = 0;  // among the functions of fbt
  };

  static ProbeArg file_argument() {
    return {.type_text = {}, .type = {}, .name = {}, .source = {}, .translated_text = "fileinfo_t *"};
  }
  ProbeDescription as_function(ProbeDescription description) const {
    description.provider = functions_probes_->name();
    return description;
  }
  size_t in_all(size_t index) { return range().begin * 2 + index; }

  // fbt's functions are sorted by name, the kernel's own before those of modules.
  const Range& range() {
    if (range_) return *range_;
    auto all = functions_.functions();
    auto is_own = [&](const KernelFunctions::Function& each) {
      return each.module == 0 && each.name.starts_with(function_prefix);
    };
    auto first = std::find_if(all.begin(), all.end(), is_own);
    auto last = std::find_if_not(first, all.end(), is_own);
    range_ = Range{static_cast<size_t>(first - all.begin()), static_cast<size_t>(last - all.begin())};
    return *range_;
  }

  KernelFunctions& functions_;
  std::unique_ptr<Provider> functions_probes_;
  std::optional<Range> range_;  // empty until needed
};

}  // namespace

std::unique_ptr<Provider> make_vfs_provider(KernelFunctions& functions, KernelTypes& kernel_types) {
  return std::make_unique<VfsProvider>(functions, kernel_types);
}

}  // namespace dscope
