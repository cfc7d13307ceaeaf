// fbt provider: entry and return of functions of the kernel and its modules, with arguments typed by BTF (providers.md
// 4). Each function has two probes with adjacent indices.
#include <array>
#include <charconv>

#include "runtime/kernel/btf_types.h"
#include "runtime/kernel/kernel_functions.h"
#include "runtime/providers/provider.h"

namespace dscope {
namespace {

constexpr std::string_view provider_name = "fbt", entry = "entry", exit = "return";
constexpr uint32_t raw_arguments = 10;
constexpr uint32_t word = 8;
// All kernels pass arguments in registers to fentry; only newer ones pass further arguments.
constexpr uint32_t max_register_words = 6;
// The kernel refuses fexit on functions that never return.
constexpr std::array<std::string_view, 5> never_returning = {"do_exit", "do_group_exit", "make_task_dead",
                                                             "kthread_exit", "kthread_complete_and_exit"};

bool is_function_probe_name(std::string_view pattern) {
  return field_matches(pattern, entry) || field_matches(pattern, exit);
}

// The kind and size of a parameter or result, without qualifiers and typedefs.
struct Shape {
  uint32_t kind = BTF_KIND_UNKN;
  uint32_t size = word;
  bool is_signed = false;
};

Shape shape_of(const BtfIndex& types, uint32_t id) {
  for (int depth = 0; id != 0 && depth < 64; ++depth) {
    const btf_type& type = types.type(id);
    switch (btf_kind(type)) {
      case BTF_KIND_INT: {
        uint32_t encoding = *reinterpret_cast<const uint32_t*>(&type + 1);
        return {BTF_KIND_INT, type.size, (BTF_INT_ENCODING(encoding) & BTF_INT_SIGNED) != 0};
      }
      case BTF_KIND_ENUM:
      case BTF_KIND_ENUM64: return {BTF_KIND_ENUM, type.size, btf_flag(type)};
      case BTF_KIND_STRUCT:
      case BTF_KIND_UNION: return {BTF_KIND_STRUCT, type.size, false};
      case BTF_KIND_TYPEDEF:
      case BTF_KIND_CONST:
      case BTF_KIND_VOLATILE:
      case BTF_KIND_RESTRICT:
      case BTF_KIND_TYPE_TAG: id = type.type; break;
      default: return {btf_kind(type), word, false};
    }
  }
  return {};
}

class FbtProvider final : public Provider {
 public:
  FbtProvider(KernelFunctions& functions, KernelTypes& kernel_types)
      : functions_(functions), kernel_types_(kernel_types) {}

  std::string_view name() const override { return provider_name; }

  bool could_match(const ProbeDescription& description) const override {
    return field_matches(description.provider, name()) && is_function_probe_name(description.name) &&
           !is_denied(description.function);
  }

  size_t count() override { return functions_.functions().size() * 2; }
  ProbeName probe_name(size_t index) override {
    const KernelFunctions::Function& function = functions_.functions()[index / 2];
    return {functions_.module_name(function.module), function.name, index % 2 == 0 ? entry : exit};
  }
  bool exists(size_t index) override { return functions_.is_traceable(functions_.functions()[index / 2]); }

  bool may_match_later_modules(const ProbeDescription& description) override {
    return !description.provider.empty() && description.module != "vmlinux" && could_match(description) &&
           functions_.mechanisms().has_any();
  }
  std::vector<Probe> probes_of_later_modules(const ProbeDescription& description) override;

  void describe(size_t index, Probe& probe) override {
    describe(functions_.functions()[index / 2], index % 2 != 0, probe);
  }
  void load_args(Probe& probe, TypeTable& types) override;
  void load_placeholder_args(Probe& probe, TypeTable& types) override;
  std::string why_missing(const ProbeDescription& description) override;

 private:
  void describe(const KernelFunctions::Function& function, bool is_return, Probe& probe);
  static void add_args(Probe& probe, const KernelTypes::Prototype& prototype, bool is_return, TypeTable& types);
  std::string compiler_copy_hint(std::string_view function);
  static bool is_denied(std::string_view pattern) { return is_literal(pattern) && is_denied_function(pattern); }

  KernelFunctions& functions_;
  KernelTypes& kernel_types_;
};

std::vector<Probe> FbtProvider::probes_of_later_modules(const ProbeDescription& description) {
  std::vector<Probe> probes;
  for (const KernelFunctions::Function& function : functions_.functions_of_later_modules()) {
    std::string_view module = functions_.module_name(function.module);
    bool is_wanted = field_matches(description.function, function.name) && field_matches(description.module, module);
    if (!is_wanted || !functions_.is_traceable(function)) continue;
    for (std::string_view each : {entry, exit}) {
      if (!field_matches(description.name, each)) continue;
      probes.push_back({.provider = std::string{name()},
                        .module = std::string{module},
                        .function = std::string{function.name},
                        .name = std::string{each}});
      describe(function, each == exit, probes.back());
    }
  }
  return probes;
}

void FbtProvider::describe(const KernelFunctions::Function& function, bool is_return, Probe& probe) {
  HookFunction hook{
      .module = probe.module, .function = probe.function, .is_return = is_return, .type_id = function.type_id};
  const BtfIndex& types = *kernel_types_.blob(probe.module);
  uint32_t prototype = types.type(function.type_id).type;
  uint32_t words = 0;
  hook.supports_trampoline = btf_kind(types.type(prototype)) == BTF_KIND_FUNC_PROTO;
  if (hook.supports_trampoline) {
    for (const btf_param& parameter : types.trailing<btf_param>(prototype)) {
      Shape shape = shape_of(types, parameter.type);
      hook.supports_trampoline &= parameter.type != 0 && shape.size <= 2 * word;  // no `...`
      words += (shape.size + word - 1) / word;
    }
  }
  hook.supports_trampoline &= words <= max_register_words;
  if (hook.is_return) {
    for (std::string_view name : never_returning) hook.supports_trampoline &= probe.function != name;
    Shape result = shape_of(types, types.type(prototype).type);
    // The offset of the return instruction is unknown.
    probe.raw_args = {{.kind = ArgSourceKind::Constant, .offset = -1},
                      {.kind = ArgSourceKind::FunctionResult,
                       .size = result.size <= word ? result.size : word,
                       .is_signed = result.is_signed}};
  } else {
    for (uint32_t i = 0; i < raw_arguments; ++i)
      probe.raw_args.push_back({.kind = ArgSourceKind::FunctionArg, .index = i});
  }
  probe.hook = std::move(hook);
  probe.has_typed_args = true;
  probe.is_available = functions_.mechanisms().has_any();
}

void FbtProvider::load_args(Probe& probe, TypeTable& types) {
  const auto& hook = std::get<HookFunction>(probe.hook);
  add_args(probe, kernel_types_.function_prototype(types, probe.module, hook.type_id), hook.is_return, types);
}

// For one function of one module: reads the types from the module's file.
void FbtProvider::load_placeholder_args(Probe& probe, TypeTable& types) {
  bool is_return = probe.name == exit;
  bool is_one = is_literal(probe.module) && is_literal(probe.function) && (is_return || probe.name == entry);
  const BtfIndex* blob = is_one ? kernel_types_.expected_blob(probe.module) : nullptr;
  auto function = blob == nullptr ? std::nullopt : blob->find_object(BTF_KIND_FUNC, probe.function);
  if (!function) return;
  add_args(probe, kernel_types_.function_prototype(types, probe.module, *function), is_return, types);
  for (ProbeArg& argument : probe.args)
    argument.source = {.kind = ArgSourceKind::Constant, .size = argument.source.size};
}

void FbtProvider::add_args(Probe& probe, const KernelTypes::Prototype& prototype, bool is_return, TypeTable& types) {
  auto add = [&](TypeId type, std::string text, std::string name, ArgSource source) {
    uint64_t size = types.size_of(type);
    if (types.is_scalar(type) && size != 0 && size <= word) {
      source.size = static_cast<uint32_t>(size);
      source.is_signed = types.is_signed_integer(type);
    }
    bool is_object = types.is_struct_or_union(type);
    uint32_t words = source.kind == ArgSourceKind::FunctionArg ? 2 : 1;  // passed in registers
    if (!is_object || (size != 0 && size <= words * uint64_t{word})) {
      if (is_object) source.size = word;
      probe.args.push_back({std::move(text), type, std::move(name), source});
    } else {
      probe.args.push_back({text + " (passed by value)", TypeTable::error_type(), std::move(name), source});
    }
  };
  if (is_return) {
    TypeId offset = types.find("uint64_t").value_or(types.integer(word, false));
    auto source = [&](size_t i) { return i < probe.raw_args.size() ? probe.raw_args[i] : ArgSource{}; };
    add(offset, types.spell(offset), "", source(0));
    if (prototype.result != types.void_type()) add(prototype.result, prototype.result_text, "", source(1));
    return;
  }
  uint32_t index = 0;
  for (const KernelTypes::Parameter& parameter : prototype.parameters) {
    add(parameter.type, parameter.type_text, parameter.name, {.kind = ArgSourceKind::FunctionArg, .index = index});
    uint64_t words = (types.size_of(parameter.type) + word - 1) / word;
    // Larger objects are passed on the stack.
    if (words <= 2) index += std::max<uint32_t>(1, static_cast<uint32_t>(words));
  }
}

std::string FbtProvider::why_missing(const ProbeDescription& description) {
  if (description.provider != provider_name) return {};
  if (!functions_.mechanisms().has_any())
    return "this kernel offers neither kprobe.multi, fentry nor kprobes, so its functions cannot be traced";
  if (is_denied(description.function) && description.function.find('.') == std::string::npos)
    return "tracing programs call this function themselves";
  if (!description.name.empty() && !is_function_probe_name(description.name))
    return "probes of functions are `entry` and `return`";
  return compiler_copy_hint(description.function);
}

// A hint for functions that the compiler has replaced by a copy, such as finish_task_switch.isra.0.
std::string FbtProvider::compiler_copy_hint(std::string_view function) {
  if (function.empty() || !is_literal(function)) return {};
  std::string prefix = fmt::format("{}.", function.substr(0, function.find('.')));
  for (const KernelFunctions::Symbol& symbol : functions_.symbols())
    if (symbol.name.starts_with(prefix))
      return fmt::format("the compiler replaced it by a copy that only rawfbt can probe: `rawfbt::{}:entry`",
                         symbol.name);
  return {};
}

}  // namespace

std::unique_ptr<Provider> make_fbt_provider(KernelFunctions& functions, KernelTypes& kernel_types) {
  return std::make_unique<FbtProvider>(functions, kernel_types);
}

}  // namespace dscope
