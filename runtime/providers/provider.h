// Provider: the interface between a source of probes and the compiler. Only the provider's own file knows its name and
// how its probes are spelled. ProbeTable assigns ids, matches descriptions and stores the probes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/host.h"
#include "contract/process_tools.h"
#include "runtime/providers/live_host.h"

namespace dscope {

class KernelAddresses;
class KernelFunctions;
class KernelTypes;
class ProcessTypes;
class Tracepoints;

// The part of a probe's 4-tuple below the provider.
struct ProbeName {
  std::string_view module, function, name;
};

// True if the glob `pattern` matches `text`; an empty pattern matches everything.
bool field_matches(std::string_view pattern, std::string_view text);

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string_view name() const = 0;

  // True if any probe, published or made on demand, could match. Decides by the spelling alone, without reading
  // anything of the machine: a common `:::tick-1s` must not cause a read of tracefs.
  virtual bool could_match(const ProbeDescription& description) const = 0;
  // Replaces aliases that users may write (such as the C library's names of system calls) by the published names.
  virtual ProbeDescription as_published(ProbeDescription description) const { return description; }

  // True if this provider makes no probes for a description that another provider's probes match.
  virtual bool is_last_resort(const ProbeDescription&) const { return false; }

  // Published probes, in listing order: sorted, the same in each session on an unchanged machine.
  virtual size_t count() = 0;
  virtual ProbeName probe_name(size_t index) = 0;
  // True if another name of the published probe's function matches the function field, a pattern.
  virtual bool matches_alias(size_t /*index*/, const ProbeDescription&) { return false; }
  // Called for probes whose names match: true if the machine has the probe. For providers whose list may contain probes
  // that this machine lacks.
  virtual bool exists(size_t) { return true; }
  // Fills in hook, raw_args and has_typed_args of a probe that already has its names.
  virtual void describe(size_t index, Probe& probe) = 0;

  // Makes the unpublished probe that `description` spells out; nothing if it cannot exist.
  virtual std::optional<Probe> create(const ProbeDescription&) { return std::nullopt; }
  // Makes all unpublished probes that match, for providers that publish none. Later calls with the same description may
  // omit probes that were returned before.
  virtual std::vector<Probe> create_all(const ProbeDescription& description) {
    auto probe = create(description);
    return probe ? std::vector<Probe>{std::move(*probe)} : std::vector<Probe>{};
  }
  // True if create_all() is called even when published probes of this provider's name match.
  virtual bool adds_to_published(const ProbeDescription&) const { return false; }
  // Removes from the matching probes of all providers those that probes of this provider replace.
  virtual void remove_replaced(const ProbeDescription&, std::vector<const Probe*>& /*found*/) const {}
  // Host::announce.
  virtual void announce(const std::vector<std::vector<ProbeDescription>>& /*clauses*/) {}
  // True if the function field of a description matches the function of a probe made on demand.
  virtual bool matches_function(const Probe& probe, std::string_view function) const {
    return field_matches(function, probe.function) ||
           (!probe.readable_function.empty() && field_matches(function, probe.readable_function));
  }
  // True if a probe that was made for another description may be returned for a description that matches it.
  virtual bool accepts_created(const ProbeDescription&) const { return true; }
  // The stability that the probes of a provider name (such as python123) define themselves; nothing if they do not.
  virtual std::optional<ProviderAttributes> attributes(std::string_view /*provider*/) { return std::nullopt; }
  // The mistake in a description of this provider, with the tag of its diagnostic; nothing if it has none.
  virtual std::optional<ProbeMistake> mistake(const ProbeDescription&) { return std::nullopt; }
  // A followed process or one of its children, `pid`, has executed another program: later descriptions of the process
  // match the functions of `pid`.
  virtual void refresh_process(uint32_t /*process*/, uint32_t /*pid*/) {}
  // A process has mapped the code of a file. True if the file has probes that match earlier descriptions of probes of
  // all processes.
  virtual bool refresh_file(uint32_t /*pid*/, const std::string& /*path*/) { return false; }
  // Matching probes of modules that were loaded after the published probes were counted. Every call returns all of
  // them.
  virtual std::vector<Probe> probes_of_later_modules(const ProbeDescription&) { return {}; }
  // True if a module that is loaded later may have probes that match the description.
  virtual bool may_match_later_modules(const ProbeDescription&) { return false; }
  // A placeholder for probes of programs that will be executed later, so that the clauses on them can be compiled now.
  // It is attached nowhere: its hook is a HookUprobe without a path.
  virtual std::optional<Probe> make_placeholder(const ProbeDescription&) { return std::nullopt; }
  // Fills in probe.args, and raw_args if they depend on types.
  virtual void load_args(Probe&, TypeTable&) {}
  // Fills in probe.args of a placeholder for probes of modules that are not loaded, as far as they are known before.
  virtual void load_placeholder_args(Probe&, TypeTable&) {}
  // Host::load_variables, for probes of user programs.
  virtual void load_variables(Probe&, TypeTable&) {}
  // Appends the variable of that name outside functions, if there is one, to probe.variables.
  virtual void add_global_variable(Probe&, TypeTable&, const std::string& /*name*/) {}
  // Host::explain_variable.
  virtual std::string explain_variable(const Probe&, const std::string& /*name*/) { return {}; }
  // One sentence that explains why nothing matches; empty if only the name is unknown.
  virtual std::string why_missing(const ProbeDescription&) { return {}; }
  // Probes that other kernels have and this one lacks, sorted; why_missing() explains each. The views live as long as
  // the provider.
  virtual std::vector<ProbeName> absent() { return {}; }
};

// Names at up to this edit distance are suggested in "did you mean".
constexpr size_t max_misspelt_letters = 2;

// True if the pattern matches one name only: neither empty nor a glob.
bool is_literal(std::string_view pattern);
// True if a pattern could match the name of some tracepoint: a C identifier other than the names of syscall and dtrace
// probes. Descriptions without a provider are common and must not cause tracepoints to be listed.
bool could_match_tracepoint(std::string_view pattern);
// Fills in probe.args of a derived probe from `arguments`: "native type : translated type", separated by commas.
void load_derived_args(std::string_view arguments, Probe& probe, TypeTable& types, KernelTypes& kernel_types);
// Maps other systems' names of the kernel proper (genunix, unix, kernel) to vmlinux; returns other names unchanged.
std::string_view own_module_name(std::string_view module);
// `description` with aliases of modules, and with compat=solaris of Solaris modules, replaced.
ProbeDescription canonical(ProbeDescription description);

std::unique_ptr<Provider> make_cpc_provider();
std::unique_ptr<Provider> make_dtrace_provider();
std::unique_ptr<Provider> make_fbt_provider(KernelFunctions& functions, KernelTypes& kernel_types);
std::unique_ptr<Provider> make_iter_provider(KernelTypes& kernel_types);
std::unique_ptr<Provider> make_lsm_provider(KernelTypes& kernel_types);
std::unique_ptr<Provider> make_perf_provider();
std::unique_ptr<Provider> make_pid_provider(const ProcessTools& tools, ProcessTypes& types);
std::unique_ptr<Provider> make_uprobe_provider(const ProcessTools& tools, ProcessTypes& types);
std::unique_ptr<Provider> make_kinst_provider(KernelFunctions& functions, KernelAddresses& addresses);
std::unique_ptr<Provider> make_plockstat_provider(const ProcessTools& tools);
std::unique_ptr<Provider> make_profile_provider();
std::unique_ptr<Provider> make_usdt_provider(ProcessRows rows, ProcessTypes& process_types, const ProcessTools& tools);
std::unique_ptr<Provider> make_solaris_call_provider();
// True if a description spells out a system call of Solaris (compat=solaris).
bool is_solaris_call(const ProbeDescription& description);
// Probes of the Solaris kernel, other than system calls, whose names no other provider has.
std::unique_ptr<Provider> make_solaris_probe_provider(KernelTypes& kernel_types);
// Clears the module and function fields that name places in the Solaris kernel, for probes that have neither on Linux.
void drop_solaris_fields(ProbeDescription& description);
std::unique_ptr<Provider> make_rawfbt_provider(KernelFunctions& functions);
std::unique_ptr<Provider> make_syscall_provider(KernelTypes& kernel_types);
// Returns the names in the kernel and in the C library; empty if no call has the number.
std::vector<std::string_view> names_of_system_call(uint32_t number);
std::unique_ptr<Provider> make_sdt_provider(Tracepoints& tracepoints, KernelTypes& kernel_types);
std::unique_ptr<Provider> make_vfs_provider(KernelFunctions& functions, KernelTypes& kernel_types);
std::unique_ptr<Provider> make_watch_provider(const ProcessTools& tools, KernelAddresses& addresses);
// The providers of all derived probes.
std::vector<std::unique_ptr<Provider>> make_derived_providers(KernelTypes& kernel_types, KernelFunctions& functions);
std::unique_ptr<Provider> make_rawtp_provider(Tracepoints& tracepoints, KernelTypes& kernel_types);

}  // namespace dscope
