// Functions come from BTF. tracefs lists the traceable ones; where it cannot be read, the code symbols of kallsyms
// count.
#include "runtime/kernel/kernel_functions.h"

#include <algorithm>
#include <array>

#include "runtime/kernel/btf_types.h"
#include "runtime/kernel/machine_facts.h"
#include "runtime/kernel/tracefs.h"
#include "support/read_file.h"

namespace dscope {
namespace {

// Symbols generated for tracing itself, and parts of functions.
constexpr std::array<std::string_view, 6> artificial_prefixes = {
    "__probestub_", "__traceiter_", "__bpf_trace_", "__ftrace_invalid_address___", "__pfx_", "__cfi_"};
// Functions that BPF programs and their helpers call, and code that is not entered by a call (providers.md 1.9).
constexpr std::array<std::string_view, 29> denied_prefixes = {"bpf_",
                                                              "__bpf_",
                                                              "___bpf_",
                                                              "btf_",
                                                              "rcu_read_",
                                                              "__rcu_read_",
                                                              "migrate_",
                                                              "preempt_count_",
                                                              "ftrace_",
                                                              "__ftrace_",
                                                              "asm_",
                                                              "exc_",
                                                              "sysvec_",
                                                              "__x86_return_",
                                                              "__x86_indirect_",
                                                              "srso_",
                                                              "retbleed_",
                                                              "trace_call_bpf",
                                                              "perf_trace_",
                                                              "htab_",
                                                              "__htab_",
                                                              "kprobe_",
                                                              "fprobe_",
                                                              "rethook_",
                                                              "_raw_spin_",
                                                              "_raw_read_",
                                                              "_raw_write_",
                                                              "queued_spin_",
                                                              "native_queued_spin_"};

template <size_t size>
bool starts_with_any(std::string_view name, const std::array<std::string_view, size>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// The first eight characters as a number, which decides most comparisons while sorting.
uint64_t sort_key(std::string_view name) {
  uint64_t key = 0;
  for (size_t i = 0; i < 8; ++i) key = key << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0);
  return key;
}

void sort_and_deduplicate(std::vector<KernelFunctions::Function>& functions) {
  std::vector<std::pair<uint64_t, KernelFunctions::Function>> keyed;
  keyed.reserve(functions.size());
  for (const KernelFunctions::Function& function : functions) keyed.emplace_back(sort_key(function.name), function);
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    int order = a.second.name.compare(b.second.name);
    return order != 0 ? order < 0 : a.second.type_id < b.second.type_id;
  });
  functions.clear();
  // Static functions of several files may share a name; they share a probe, too.
  for (const auto& [key, function] : keyed)
    if (functions.empty() || functions.back().name != function.name) functions.push_back(function);
}

// Whether a symbol type of kallsyms denotes code.
bool is_code(char type) { return type == 't' || type == 'T' || type == 'w' || type == 'W'; }

constexpr uint32_t max_tried = 8;

}  // namespace

bool is_denied_function(std::string_view name) {
  return name.find('.') != std::string_view::npos || starts_with_any(name, artificial_prefixes) ||
         starts_with_any(name, denied_prefixes);
}

std::span<const KernelFunctions::Function> KernelFunctions::functions() {
  if (is_listed_) return functions_;
  is_listed_ = true;
  add_module("vmlinux", functions_);
  for (const std::string& module : types_.modules()) add_module(module, functions_);
  return functions_;
}

void KernelFunctions::loaded(const std::string& module) {
  is_read_ = false;
  traceable_.clear();
  in_order_.clear();
  if (is_listed_ && std::ranges::find(modules_, module) == modules_.end()) add_module(module, later_);
}

void KernelFunctions::add_module(const std::string& name, std::vector<Function>& all) {
  const BtfIndex* blob = types_.blob(name);
  if (blob == nullptr) return;
  auto module = static_cast<uint32_t>(modules_.size());
  modules_.push_back(name);
  std::vector<Function> functions;
  for (uint32_t id = blob->first_id(), end = blob->end_id(); id < end; ++id) {
    if (btf_kind(blob->type(id)) != BTF_KIND_FUNC) continue;
    std::string_view function = blob->name_of(id);
    if (!is_denied_function(function)) functions.push_back({function, id, module});
  }
  sort_and_deduplicate(functions);
  all.insert(all.end(), functions.begin(), functions.end());
}

FunctionMechanisms KernelFunctions::mechanisms() {
  if (mechanisms_) return *mechanisms_;
  const BtfIndex* types = types_.vmlinux();
  auto function = types == nullptr ? std::nullopt : types->find_object(BTF_KIND_FUNC, "vfs_read");
  mechanisms_ = read_function_mechanisms(function.value_or(0));
  return *mechanisms_;
}

bool KernelFunctions::is_traceable(const Function& function) {
  bool is_of_kernel = function.module == 0, is_this_machine = files_.traceable.empty() && recorded_machine() == nullptr;
  if (!is_read_ && is_of_kernel && is_this_machine && tried_ < max_tried && mechanisms().has_trampoline) {
    ++tried_;
    if (supports_trampoline(function.type_id)) return true;
    // The other mechanisms take functions with variable arguments or with more arguments than registers.
    if (!mechanisms().has_multi && !mechanisms().has_kprobe) return false;
  }
  read_traceable();
  if (is_of_kernel) return traceable_.contains(function.name);
  return traceable_.contains(std::string{function.name} + " [" + modules_[function.module] + "]");
}

std::vector<KernelFunctions::Symbol> KernelFunctions::symbols() {
  read_traceable();
  std::vector<Symbol> symbols;
  symbols.reserve(in_order_.size());
  for (std::string_view line : in_order_) {
    size_t space = line.find(' ');
    bool is_of_kernel = space == std::string_view::npos;
    symbols.push_back(
        {is_of_kernel ? "vmlinux" : line.substr(space + 2, line.size() - space - 3), line.substr(0, space)});
  }
  return symbols;
}

void KernelFunctions::read_traceable() {
  if (is_read_) return;
  is_read_ = true;
  auto read =
      files_.traceable.empty() ? read_tracefs("available_filter_functions") : read_file(files_.traceable.c_str());
  bool has_addresses = !read;
  if (!read) read = read_file(files_.symbols.c_str());
  if (!read) return;
  text_ = std::move(*read);
  std::replace(text_.begin(), text_.end(), '\t', ' ');
  traceable_.reserve(text_.size() / 24);
  std::string_view rest = text_;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (has_addresses) {
      size_t type = line.find(' ') + 1;
      if (type == 0 || type + 2 > line.size() || !is_code(line[type])) continue;
      line.remove_prefix(type + 2);
    }
    add_line(line);
  }
}

void KernelFunctions::add_line(std::string_view name_and_module) {
  if (starts_with_any(name_and_module, artificial_prefixes) || name_and_module.ends_with("[bpf]")) return;
  if (traceable_.insert(name_and_module).second) in_order_.push_back(name_and_module);
}

}  // namespace dscope
