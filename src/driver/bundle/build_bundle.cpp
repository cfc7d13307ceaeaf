#include "driver/bundle/build_bundle.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "archive/portable_bundle.h"
#include "contract/buffers/ring_groups.h"
#include "contract/follow.h"
#include "driver/bundle/altered_host.h"
#include "driver/bundle/bound_kernel.h"
#include "driver/bundle/portable_code.h"
#include "driver/compile/library_files.h"
#include "driver/compile/report_diagnostics.h"
#include "driver/run/messages.h"
#include "driver/run/setup.h"
#include "driver/run/terminal.h"
#include "driver/trace/host.h"
#include "runtime/kernel/bound_types.h"
#include "runtime/kernel/machine_record.h"

namespace dscope {

namespace {

bool traces_functions(const ProgramPlan& plan) {
  return std::ranges::any_of(plan.programs, [](const BpfProgramPlan& program) {
    return program.context == BpfContext::Function || program.context == BpfContext::KernelProbe;
  });
}

bool has_several_rings(const ProgramPlan& plan) {
  return std::ranges::find(plan.maps, MapKind::RingTable, &MapPlan::kind) != plan.maps.end();
}

// For tests, which build many bundles and run them at once.
bool is_for_this_machine() { return std::getenv("DSCOPE_BUILD_FOR_THIS_MACHINE") != nullptr; }

// The machines for which a bundle contains code: generations of the kernel (before 6.6, before 6.10, later), inside a
// container and outside, and the ways to trace kernel functions.
struct Machine {
  MachineFacts facts;
  FunctionMechanisms mechanisms;
};

std::vector<Machine> machines(const MachineFacts& own, const FunctionMechanisms& own_mechanisms,
                              const ProgramPlan& plan) {
  if (is_for_this_machine()) return {{own, own_mechanisms}};
  std::vector<FunctionMechanisms> ways = {own_mechanisms};
  if (traces_functions(plan))
    ways = {{.has_trampoline = true, .has_multi = true, .has_kprobe = true},
            {.has_trampoline = false, .has_multi = true, .has_kprobe = true},
            {.has_trampoline = false, .has_multi = false, .has_kprobe = true}};
  std::vector<Machine> result;
  for (const FunctionMechanisms& mechanisms : ways)
    for (bool has_cookies : {true, false})
      for (bool has_cpu_v4 : {true, false})
        for (bool is_container : {false, true}) {
          if (has_cookies && !has_cpu_v4) continue;  // no such kernel
          Machine& machine = result.emplace_back(Machine{own, mechanisms});
          machine.facts.has_raw_tp_cookie = machine.facts.has_exact_uprobe_pids = has_cookies;
          machine.facts.has_cpu_v4 = has_cpu_v4;
          machine.facts.pid_namespace_device = machine.facts.pid_namespace = is_container ? 1 : 0;
        }
  return result;
}

void add_sources(const Compilation& compilation, const CommandLine& command_line, PortableBundle& bundle) {
  for (size_t i = 0; i < compilation.user_units.size(); ++i) {
    const SourceUnit& unit = compilation.sources.unit(compilation.user_units[i]);
    bundle.programs.push_back({.letter = command_line.programs[i].letter, .name = unit.name, .text = unit.text});
  }
  std::string own = library_directory();
  for (uint32_t i = 0; i < compilation.sources.size(); ++i) {
    const SourceUnit& unit = compilation.sources.unit(UnitId{i});
    // Parts of derived probes have names in angle brackets.
    if (unit.kind != UnitKind::Library || unit.name.starts_with('<')) continue;
    bundle.libraries.push_back(
        {.path = unit.name, .text = unit.text, .is_built_in = !own.empty() && unit.name.starts_with(own + "/")});
  }
}

// A run needs its own permission for destructive actions.
void add_settings(const CommandLine& command_line, PortableBundle& bundle) {
  for (const OptionSetting& setting : command_line.settings)
    if (setting.name != "destructive")
      bundle.settings.push_back({setting.name, setting.value, setting.has_value, setting.flag});
}

bool is_known(const std::vector<BundledCode>& codes, const BundledCode& code) {
  return std::ranges::any_of(
      codes, [&](const BundledCode& known) { return known.form == code.form && known.shape == code.shape; });
}

// Whether probes of the clause may appear while its process runs, in programs and libraries that do not exist yet. They
// would need other code than the probes that exist.
bool awaits_code(const ClauseInstance& clause, const OptionValues& options) {
  auto is_of_process = [](const Probe* probe) {
    return std::holds_alternative<HookUprobe>(probe->sites.empty() ? probe->hook : probe->sites.front().hook) &&
           !is_awaited_kernel_probe(*probe);
  };
  auto is_awaited_now = [](const Probe* probe) { return is_awaited(*probe) && !is_awaited_kernel_probe(*probe); };
  bool always_gains = clause.gains_probes && (follows_execs(options) || options.is_on(OptionId::Rtldstop));
  return (always_gains && std::ranges::any_of(clause.probes, is_of_process)) ||
         std::ranges::any_of(clause.probes, is_awaited_now);
}

// Reports the first clause that a bundle cannot have code for, at its place in the program.
void reject_awaited_code(Compilation& compilation, const OptionValues& options) {
  for (const ClauseInstance& clause : compilation.meaning.clauses) {
    if (!awaits_code(clause, options)) continue;
    compilation.diagnostics.set_phase(DiagnosticPhase::Parse);
    compilation.diagnostics.error(Tag::D_UNKNOWN, clause.clause->probes[clause.specifier].at,
                                  "a bundle has no code for probes of {} that appear while it runs",
                                  clause.description);
    compilation.diagnostics.hint("trace with dscope, or build without -Z, -x follow=exec and -x rtldstop");
    return;
  }
}

Result<> write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) return fail(Error::from_errno(errno, "cannot write {}", path));
  return {};
}

// Collects the code for one machine after the other. Only the first one decides about texts and probes.
class BundleBuilder {
 public:
  BundleBuilder(const CommandLine& command_line, const OptionValues& options, const Targets& targets,
                Progress& progress)
      : command_line_(command_line), options_(options), targets_(targets), progress_(progress) {
    // The arguments of the run are unknown. Those of this command line are examples, and absent ones are 0 and "".
    options_.set_number(OptionId::Defaultargs, 1);
    bundle_.builder = release_name();
    bundle_.invoked_as = command_line.invoked_as;
    bundle_.data_model = command_line.data_model;
    add_settings(command_line, bundle_);
  }

  // Adds code for the machine in use. Returns the exit status of a mistake in the D program, which is reported; 0:
  // none.
  Result<int> add_machine() {
    std::unique_ptr<LiveHost> host = make_host(command_line_, options_, targets_);
    Compilation compilation;
    OptionValues own = options_;
    auto compiled = compile(compilation, command_line_, own, *host, targets_.first_pid(), &progress_);
    progress_.clear();
    if (!compiled)
      return fail(mistake(std::move(compiled.error()), message_style(command_line_.program_name, options_)));
    if (!compilation.diagnostics.has_errors()) reject_awaited_code(compilation, own);
    if (compilation.diagnostics.has_errors())
      return report(command_line_.program_name, options_, compilation.diagnostics);
    if (compilation.uses_headers)
      return fail(
          Error("a program that includes C headers cannot be bundled").hint("declare the types that it uses in D"));
    if (bundle_.programs.empty()) describe(compilation);
    progress_.show("generating code");
    for (const Machine& machine : machines(host->facts(), host->function_mechanisms(), compilation.compiled.plan))
      DS_TRY_VOID(add_codes(machine, *host));
    progress_.clear();
    return 0;
  }

  // Adds code for this machine with the types of another kernel, which it will have at the run.
  Result<int> add_kernel(BoundKernel kernel) {
    bind_kernel_types(kernel.types);
    bundle_.kernels.push_back(std::move(kernel));
    DS_TRY(int status, add_machine());
    bind_kernel_types({});
    return status;
  }

  const PortableBundle& bundle() const { return bundle_; }

 private:
  void describe(const Compilation& compilation) {
    bundle_.is_destructive = compilation.compiled.plan.is_destructive;
    add_sources(compilation, command_line_, bundle_);
    for (const ClauseInstance& clause : compilation.meaning.clauses) bundle_.probes.push_back(clause.description);
  }

  Result<> add_codes(const Machine& machine, Host& host) {
    if (is_for_this_machine() || options_.is_set(OptionId::Ringcpus)) return add_codes(machine, host, options_);
    // One ring for all CPUs, and one for each group of CPUs.
    for (uint32_t ring_cpus : {0U, default_cpus_per_ring}) {
      OptionValues own = options_;
      own.set_number(OptionId::Ringcpus, ring_cpus);
      DS_TRY_VOID(add_codes(machine, host, own));
    }
    return {};
  }

  Result<> add_codes(const Machine& machine, Host& host, OptionValues own) {
    AlteredHost altered(host, machine.facts, machine.mechanisms);
    Compilation compilation;
    DS_TRY_VOID(compile(compilation, command_line_, own, altered, targets_.first_pid()));
    // Another machine may lack what the program needs: the bundle then has no code for it.
    if (compilation.diagnostics.has_errors()) return {};
    bool is_second = !options_.is_set(OptionId::Ringcpus) && own.number(OptionId::Ringcpus) > 0;
    if (is_second && !has_several_rings(compilation.compiled.plan)) return {};  // it records no events
    for (CodeForm form : {CodeForm::Fast, CodeForm::Checked, CodeForm::CheckedAwake}) {
      DS_TRY(BundledCode code, portable_code(compilation, form));
      if (!is_known(bundle_.codes, code)) bundle_.codes.push_back(std::move(code));
    }
    return {};
  }

  const CommandLine& command_line_;
  OptionValues options_;
  const Targets& targets_;
  Progress& progress_;
  PortableBundle bundle_;
};

}  // namespace

Result<int> build_bundle(const CommandLine& command_line, const OptionValues& options) {
  DS_TRY(std::unique_ptr<Targets> targets, create_targets(command_line, options));
  std::unique_ptr<Progress> progress = make_progress(command_line, options);
  BundleBuilder builder(command_line, options, *targets, *progress);
  if (command_line.machines.empty()) {
    DS_TRY(int status, builder.add_machine());
    if (status != 0) return status;
  }
  for (const std::string& facts : command_line.machines) {
    DS_TRY(std::unique_ptr<MachineInUse> machine, MachineInUse::open(facts));
    DS_TRY(int status, builder.add_machine());
    if (status != 0) return status;
  }
  for (const std::string& path : command_line.bound_kernels) {
    DS_TRY(BoundKernel kernel, read_bound_kernel(path));
    DS_TRY(int status, builder.add_kernel(std::move(kernel)));
    if (status != 0) return status;
  }
  DS_TRY_VOID(write_file(command_line.bundle_file, pack_portable_bundle(builder.bundle())));
  return 0;
}

}  // namespace dscope
