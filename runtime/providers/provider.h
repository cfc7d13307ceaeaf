// Provider: what a source of probes answers to the compiler. Only the provider's own file knows its name and how its
// probes are spelled; ids, matching and storage are the ProbeTable's.
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

// An empty field matches all.
bool field_matches(std::string_view pattern, std::string_view text);

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string_view name() const = 0;

  // Whether any probe, published or made on demand, could match. Decided by the spelling alone, without a look at the
  // machine: a common `:::tick-1s` must not make anybody read tracefs.
  virtual bool could_match(const ProbeDescription& description) const = 0;
  // The description with what users may write (user-level names of system calls) replaced by what is published.
  virtual ProbeDescription as_published(ProbeDescription description) const { return description; }

  // Whether it need not be asked for the description if another provider has a probe for it.
  virtual bool is_last_resort(const ProbeDescription&) const { return false; }

  // Published probes, in listing order: sorted, the same in each session on an unchanged machine.
  virtual size_t count() = 0;
  virtual ProbeName probe_name(size_t index) = 0;
  // Asked of those whose names match: whether the machine has it after all, if names alone do not tell.
  virtual bool is_there(size_t) { return true; }
  // Fills in hook, raw_args and has_typed_args; the names are there already.
  virtual void describe(size_t index, Probe& probe) = 0;

  // A probe that is not published, if `description` spells one out and it can exist.
  virtual std::optional<Probe> create(const ProbeDescription&) { return std::nullopt; }
  // All of them, of a provider that publishes none. Asked again, it may leave out what it gave before.
  virtual std::vector<Probe> create_all(const ProbeDescription& description) {
    auto probe = create(description);
    return probe ? std::vector<Probe>{std::move(*probe)} : std::vector<Probe>{};
  }
  // Whether it makes probes also where those published by its name match.
  virtual bool adds_to_published(const ProbeDescription&) const { return false; }
  // Takes out of all probes that match those that others of its own stand for.
  virtual void choose(const ProbeDescription&, std::vector<const Probe*>& /*found*/) const {}
  // Host::announce.
  virtual void announce(const std::vector<std::vector<ProbeDescription>>& /*clauses*/) {}
  // Whether the function field of a description means the function of a probe made on demand.
  virtual bool is_called(const Probe& probe, std::string_view function) const {
    return field_matches(function, probe.function) ||
           (!probe.readable_function.empty() && field_matches(function, probe.readable_function));
  }
  // Whether a description that matches a probe made for another one means it too.
  virtual bool means_created(const ProbeDescription&) const { return true; }
  // Stability of a provider whose probes were made on demand, if they say it themselves.
  virtual std::optional<ProviderAttributes> attributes(std::string_view /*provider*/) { return std::nullopt; }
  // Why a description of this provider cannot be right whatever the machine has.
  virtual std::optional<ProbeMistake> mistake(const ProbeDescription&) { return std::nullopt; }
  // A followed process, or a child of it, `pid`, has executed another program: what its descriptions match is looked
  // up again there.
  virtual void renew(uint32_t /*process*/, uint32_t /*pid*/) {}
  // A process has mapped the code of a file. True if it has probes of all processes that descriptions asked for.
  virtual bool renew_by_file(uint32_t /*pid*/, const std::string& /*path*/) { return false; }
  // Probes of modules that were loaded after the published ones were counted. Asked again, it gives them again.
  virtual std::vector<Probe> of_later_modules(const ProbeDescription&) { return {}; }
  // Whether a module that is loaded later may have probes that the description matches.
  virtual bool may_match_later_modules(const ProbeDescription&) { return false; }
  // A probe that stands for those that programs to come may have, so that clauses on them get their meaning now. It
  // hangs nowhere: its hook is a HookUprobe without a path.
  virtual std::optional<Probe> expected(const ProbeDescription&) { return std::nullopt; }
  // Fills in probe.args, and raw_args if they depend on types.
  virtual void load_args(Probe&, TypeTable&) {}
  // The same of a probe that stands for those of modules to come, as far as it can be known before: it never fires.
  virtual void load_expected_args(Probe&, TypeTable&) {}
  // A sentence on why nothing matches, beyond what the names tell.
  virtual std::string why_missing(const ProbeDescription&) { return {}; }
  // Probes that other kernels have and this one has not, sorted; why_missing() says why. The views live as long as
  // this.
  virtual std::vector<ProbeName> absent() { return {}; }
};

// What is taken for a slip of the hand.
constexpr size_t max_misspelt_letters = 2;

// Whether the field can match only `text`-like names: neither empty nor a glob.
bool is_literal(std::string_view pattern);
// Whether a pattern could match the name of some tracepoint: a C identifier other than the names of syscall and dtrace
// probes, so that the most usual descriptions without a provider do not make anybody list tracepoints.
bool could_match_tracepoint(std::string_view pattern);

// Fills in probe.args of a probe made of others: "native type : translated type", separated by commas.
void load_derived_args(std::string_view arguments, Probe& probe, TypeTable& types, KernelTypes& kernel_types);

// Other systems' names of the kernel proper (genunix, unix, kernel) become vmlinux.
std::string_view own_module_name(std::string_view module);

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
std::unique_ptr<Provider> make_usdt_provider(ProcessRows rows, ProcessTypes& process_types, Demangle demangle);
std::unique_ptr<Provider> make_solaris_call_provider();
// Whether a description spells out a system call of Solaris (compat=solaris).
bool is_solaris_call(const ProbeDescription& description);
// Probes of Solaris's kernel other than system calls that Linux's providers do not have under these names.
std::unique_ptr<Provider> make_solaris_probe_provider(KernelTypes& kernel_types);
// Modules and functions of Solaris's kernel, of probes that have none of them here, are taken out of the description.
void leave_out_solaris_places(ProbeDescription& description);
std::unique_ptr<Provider> make_rawfbt_provider(KernelFunctions& functions);
std::unique_ptr<Provider> make_syscall_provider(KernelTypes& kernel_types);
// The kernel's and the C library's; none of a number that no call has.
std::vector<std::string_view> names_of_system_call(uint32_t number);
std::unique_ptr<Provider> make_sdt_provider(Tracepoints& tracepoints, KernelTypes& kernel_types);
std::unique_ptr<Provider> make_vfs_provider(KernelFunctions& functions, KernelTypes& kernel_types);
std::unique_ptr<Provider> make_watch_provider(const ProcessTools& tools, KernelAddresses& addresses);
// Of all probes that are made of others: one for each provider.
std::vector<std::unique_ptr<Provider>> make_derived_providers(KernelTypes& kernel_types, KernelFunctions& functions);
std::unique_ptr<Provider> make_rawtp_provider(Tracepoints& tracepoints, KernelTypes& kernel_types);

}  // namespace dscope
