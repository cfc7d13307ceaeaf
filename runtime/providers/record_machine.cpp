#include "runtime/providers/record_machine.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "runtime/kernel/btf_types.h"
#include "runtime/kernel/kernel_functions.h"
#include "runtime/kernel/machine_facts.h"
#include "runtime/kernel/module_file.h"
#include "runtime/kernel/physical_memory.h"
#include "runtime/kernel/tracefs.h"
#include "runtime/providers/counted_events.h"
#include "runtime/providers/system_call.h"
#include "support/format.h"
#include "support/read_file.h"

namespace dscope {

namespace {

namespace fs = std::filesystem;

// Empty files too: for some, existence alone shows a kernel feature.
constexpr const char* small_files[] = {"/proc/modules", "/proc/filesystems", "/sys/kernel/security/lsm",
                                       "/sys/kernel/kexec_loaded", "/proc/sys/abi/vsyscall32"};

class Recorder {
 public:
  Result<MachineRecord> run() {
    record_.facts = read_machine_facts();
    // A record describes no processes: they differ on the machine that compiles with it.
    record_.facts.pid_namespace_device = record_.facts.pid_namespace = 0;
    record_.cpus = read_cpus(record_.facts.cpu_count);
    record_.block_drivers = read_block_drivers();
    record_.modules = modules_in_sysfs();
    for (uint32_t call : conditional_system_calls())
      if (!has_system_call(call)) record_.absent_calls.push_back(call);
    DS_TRY_VOID(add_tracefs());
    DS_TRY_VOID(add_types_and_symbols());
    try_mechanisms();
    for (const char* path : small_files) add_file(path);
    add_file(module_directory() + "/modules.builtin");
    add_event_devices();
    return std::move(record_);
  }

 private:
  bool add_file(const std::string& path) {
    auto content = read_file(path.c_str());
    if (content) record_.files[path] = std::move(*content);
    return content.has_value();
  }

  void add_folder(const std::string& folder) {
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder, problem))
      if (entry.is_regular_file(problem)) add_file(entry.path().string());
  }

  Result<> add_tracefs() {
    auto keep = [&](const std::string& name) -> Result<> {
      DS_TRY(record_.files[std::string{recorded_tracefs} + name], read_tracefs(name));
      return {};
    };
    DS_TRY_VOID(keep("available_events"));
    (void)keep("available_filter_functions");  // missing on kernels without function tracing
    DS_TRY(std::vector<std::string> categories, list_tracefs("events"));
    for (const std::string& category : categories) {
      auto events = list_tracefs("events/" + category);
      if (!events) continue;  // a file
      for (const std::string& event : *events)
        for (const char* file : {"format", "id"}) (void)keep(fmt::format("events/{}/{}/{}", category, event, file));
    }
    std::erase_if(record_.files,
                  [](const auto& file) { return file.first.starts_with(recorded_tracefs) && file.second.empty(); });
    return {};
  }

  Result<> add_types_and_symbols() {
    add_folder("/sys/kernel/btf");
    if (!record_.files.contains("/sys/kernel/btf/vmlinux"))
      return fail(
          Error("/sys/kernel/btf/vmlinux cannot be read").hint("facts of kernels without BTF are not supported"));
    DS_TRY(std::string symbols, read_file("/proc/kallsyms"));
    record_.files["/proc/kallsyms"] = without_randomization(symbols);
    return {};
  }

  void try_mechanisms() {
    KernelTypes types;
    KernelFunctions functions{types};
    record_.mechanisms = functions.mechanisms();
    const BtfIndex* kernel = types.vmlinux();
    auto hook = kernel != nullptr ? kernel->find_object(BTF_KIND_FUNC, "bpf_lsm_file_open") : std::nullopt;
    record_.takes_security_programs = hook && takes_security_program(*hook);
    record_.finds_physical_memory = fs::exists("/proc/self/pagemap");
    HookPerfEvent cycles{.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES, .period = 1'000'000};
    record_.counts_hardware_events = counting_error(cycles) == 0;
  }

  void add_event_devices() {
    std::error_code problem;
    for (const auto& device : fs::directory_iterator(event_devices, problem))
      for (const char* part : {"", "/events", "/format"}) add_folder(device.path().string() + part);
  }

  MachineRecord record_;
};

// A line of kallsyms: "ffffffff81000000 T _text", "ffffffffc0001000 t probe\t[loop]".
struct SymbolLine {
  uint64_t address = 0;
  std::string_view rest;  // from the blank behind the address
  bool is_of_module() const { return rest.ends_with(']'); }
};

template <typename Visit>
void for_each_symbol(std::string_view text, Visit visit) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    SymbolLine symbol;
    auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), symbol.address, 16);
    if (error != std::errc{}) continue;
    symbol.rest = line.substr(static_cast<size_t>(end - line.data()));
    visit(symbol);
  }
}

}  // namespace

std::string without_randomization(std::string_view kallsyms) {
  constexpr uint64_t image_start = 0xffffffff81000000, module_start = 0xffffffffc0000000;  // of x86-64
  uint64_t image = 0, modules = UINT64_MAX;
  for_each_symbol(kallsyms, [&](const SymbolLine& symbol) {
    if (symbol.rest == " T _text") image = symbol.address;
    if (symbol.is_of_module()) modules = std::min(modules, symbol.address);
  });
  std::string result;
  result.reserve(kallsyms.size());
  for_each_symbol(kallsyms, [&](const SymbolLine& symbol) {
    uint64_t address = symbol.address;
    if (symbol.is_of_module()) address += module_start - modules;
    else if (image != 0 && address >= image) address += image_start - image;
    fmt::format_to(std::back_inserter(result), "{:016x}{}\n", address, symbol.rest);
  });
  return result;
}

Result<MachineRecord> record_machine() { return Recorder{}.run(); }

}  // namespace dscope
