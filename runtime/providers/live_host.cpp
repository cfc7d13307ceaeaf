// Combines probes, types, symbols and facts. Each part reads the machine lazily.
#include "runtime/providers/live_host.h"

#include <unistd.h>

#include "runtime/dwarf/process_types.h"
#include "runtime/kernel/btf_types.h"
#include "runtime/kernel/kernel_addresses.h"
#include "runtime/kernel/kernel_functions.h"
#include "runtime/kernel/kernel_symbol_query.h"
#include "runtime/kernel/machine_facts.h"
#include "runtime/kernel/machine_record.h"
#include "runtime/kernel/physical_memory.h"
#include "runtime/providers/probe_table.h"
#include "runtime/providers/stability.h"
#include "runtime/providers/tracepoints.h"

namespace dscope {
namespace {

class LiveHostParts final : public LiveHost {
 public:
  LiveHostParts(ProcessTools tools, ProcessRows rows, OnExec on_exec)
      : tools_(std::move(tools)),
        rows_(rows),
        probes_(make_providers(), {.processes = on_exec != OnExec::Stay ? tools_.targets : std::vector<uint32_t>{},
                                   .has_all = on_exec == OnExec::FollowAll,
                                   .has_modules = on_exec == OnExec::FollowAll &&
                                                  ::access(machine_path("/proc/modules").c_str(), F_OK) == 0}) {}

  void executed(uint32_t target, uint32_t pid) override { probes_.refresh_process(target, pid); }
  bool mapped(uint32_t pid, const std::string& path) override { return probes_.refresh_file(pid, path); }

  void loaded(const std::vector<std::string>& modules) override {
    for (const std::string& module : modules) {
      kernel_types_.loaded(module);
      functions_.loaded(module);
    }
    tracepoints_.loaded();
    probes_.refresh_modules();
  }

  void announce(const std::vector<std::vector<ProbeDescription>>& clauses) override { probes_.announce(clauses); }
  std::vector<const Probe*> match(const ProbeDescription& description) override { return probes_.match(description); }
  void stop_awaiting(const ProbeDescription& description) override { probes_.stop_awaiting(description); }
  bool may_match_later_modules(const ProbeDescription& description) override {
    return probes_.may_match_later_modules(description);
  }
  void load_args(const Probe& probe, TypeTable& types) override { probes_.load_args(probe, types); }
  void load_variables(const Probe& probe, TypeTable& types) override { probes_.load_variables(probe, types); }
  const TracedVariable* find_variable(const Probe& probe, TypeTable& types, std::string_view name) override {
    return probes_.find_variable(probe, types, std::string{name});
  }
  std::string explain_variable(const Probe& probe, std::string_view name) override {
    return probes_.explain_variable(probe, std::string{name});
  }
  ProviderAttributes provider_attributes(std::string_view provider) override {
    return probes_.attributes(provider).value_or(attributes_of_provider(provider));
  }
  bool has_module(std::string_view name) override { return is_module_present(own_module_name(name)); }
  std::string why_missing(const ProbeDescription& description) override;
  std::vector<std::string> absent(const ProbeDescription& description) override { return probes_.absent(description); }
  std::optional<ProbeMistake> mistake(const ProbeDescription& description) override {
    return probes_.mistake(description);
  }

  std::optional<TypeId> find_type(TypeTable& types, std::string_view module, std::string_view name) override {
    if (auto process = parse_process_scope(module)) return process_types_.find(types, *process, name);
    return kernel_types_.find(types, own_module_name(module), name);
  }
  std::string nearest_type(std::string_view name) override { return kernel_types_.nearest(name); }
  std::string nearest_symbol(std::string_view name) override { return addresses_.nearest(name); }
  void complete_type(TypeTable& types, TypeId id) override {
    if (ProcessTypes::owns(types.resolved(id))) process_types_.complete(types, id);
    else kernel_types_.complete(types, id);
  }
  std::string why_no_type(std::string_view module) override {
    auto process = parse_process_scope(module);
    return process ? process_types_.why_missing(*process) : std::string{};
  }
  std::optional<KernelSymbol> find_symbol(TypeTable& types, std::string_view module, std::string_view name) override;
  const MachineFacts& facts() override {
    if (!facts_) facts_ = read_machine_facts();
    return *facts_;
  }
  FunctionMechanisms function_mechanisms() override { return functions_.mechanisms(); }
  std::optional<PhysicalMemory> physical_memory(const MemoryOffsets& offsets) override {
    return find_physical_memory(offsets);
  }
  std::vector<CpuFacts> cpus() override { return read_cpus(facts().cpu_count); }
  std::map<uint32_t, std::string> block_drivers() override { return read_block_drivers(); }

 private:
  bool is_provider_of_processes(const std::string& name);
  // Cheap providers first: the ids of a provider's probes require the counts of all earlier providers.
  std::vector<std::unique_ptr<Provider>> make_providers() {
    std::vector<std::unique_ptr<Provider>> providers;
    providers.push_back(make_dtrace_provider());
    providers.push_back(make_profile_provider());
    providers.push_back(make_syscall_provider(kernel_types_));
    providers.push_back(make_solaris_call_provider());
    for (std::unique_ptr<Provider>& derived : make_derived_providers(kernel_types_, functions_))
      providers.push_back(std::move(derived));
    providers.push_back(make_sdt_provider(tracepoints_, kernel_types_));
    // After the sdt provider, which owns the published probes of that name; before the providers of processes, so that
    // its messages come first.
    providers.push_back(make_solaris_probe_provider(kernel_types_));
    providers.push_back(make_pid_provider(tools_, process_types_));
    providers.push_back(make_plockstat_provider(tools_));
    providers.push_back(make_uprobe_provider(tools_, process_types_));
    providers.push_back(make_usdt_provider(rows_, process_types_, tools_));
    providers.push_back(make_rawtp_provider(tracepoints_, kernel_types_));
    providers.push_back(make_iter_provider(kernel_types_));
    providers.push_back(make_lsm_provider(kernel_types_));
    providers.push_back(make_cpc_provider());
    providers.push_back(make_perf_provider());
    providers.push_back(make_watch_provider(tools_, addresses_));
    providers.push_back(make_fbt_provider(functions_, kernel_types_));
    providers.push_back(make_vfs_provider(functions_, kernel_types_));
    providers.push_back(make_rawfbt_provider(functions_));
    providers.push_back(make_kinst_provider(functions_, addresses_));
    return providers;
  }

  ProcessTools tools_;
  ProcessRows rows_;
  KernelTypes kernel_types_;
  ProcessTypes process_types_;
  KernelAddresses addresses_{machine_path("/proc/kallsyms"),
                             recorded_machine() == nullptr ? query_kernel_symbol : KernelAddresses::Query{}};
  Tracepoints tracepoints_{kernel_types_};
  KernelFunctions functions_{kernel_types_};
  ProbeTable probes_;
  std::optional<MachineFacts> facts_;
};

// True if some process has a provider of this name followed by its process id.
bool LiveHostParts::is_provider_of_processes(const std::string& name) {
  auto is_numbered = [&](const Probe* probe) {
    return probe->provider.starts_with(name) &&
           probe->provider.find_first_not_of("0123456789*", name.size()) == std::string::npos &&
           probe->provider != name;
  };
  return is_literal(name) && std::ranges::any_of(probes_.match({.provider = name + "*"}), is_numbered);
}

std::string LiveHostParts::why_missing(const ProbeDescription& description) {
  std::string_view name = description.provider;
  if (name.ends_with('0') && name.find_first_of("0123456789") == name.size() - 1)
    return fmt::format("{} names process 0: $target is 0 without -c and -p", name);
  if (is_provider_of_processes(description.provider))
    return fmt::format("providers of processes end with a process id: `{0}$target` with -p or -c, `{0}*` for all",
                       description.provider);
  return probes_.why_missing(description);
}

std::optional<KernelSymbol> LiveHostParts::find_symbol(TypeTable& types, std::string_view module,
                                                       std::string_view name) {
  std::string_view own_module = own_module_name(module);
  auto symbol = addresses_.find(own_module, name);
  if (!symbol) return std::nullopt;
  return KernelSymbol{symbol->address, kernel_types_.find_object(types, symbol->module, name)};
}

}  // namespace

std::unique_ptr<LiveHost> make_live_host(ProcessTools tools, ProcessRows rows, OnExec on_exec) {
  return std::make_unique<LiveHostParts>(std::move(tools), rows, on_exec);
}

}  // namespace dscope
