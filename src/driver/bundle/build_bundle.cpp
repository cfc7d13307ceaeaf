#include "driver/bundle/build_bundle.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "archive/portable_bundle.h"
#include "driver/bundle/altered_host.h"
#include "driver/bundle/portable_code.h"
#include "driver/compile/library_files.h"
#include "driver/compile/report_diagnostics.h"
#include "driver/run/messages.h"
#include "driver/run/setup.h"
#include "driver/run/terminal.h"
#include "driver/trace/host.h"

namespace dscope {

namespace {

bool traces_functions(const ProgramPlan& plan) {
  return std::ranges::any_of(plan.programs, [](const BpfProgramPlan& program) {
    return program.context == BpfContext::Function || program.context == BpfContext::KernelProbe;
  });
}

// The machines for which a bundle contains code: generations of the kernel (before 6.6, before 6.10, later), inside a
// container and outside, and the ways to trace kernel functions.
struct Machine {
  MachineFacts facts;
  FunctionMechanisms mechanisms;
};

std::vector<Machine> machines(const MachineFacts& own, const FunctionMechanisms& own_mechanisms,
                              const ProgramPlan& plan) {
  // For tests, which build many bundles and run them at once.
  if (std::getenv("DSCOPE_BUILD_FOR_THIS_MACHINE") != nullptr) return {{own, own_mechanisms}};
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

Result<> add_codes(const CommandLine& command_line, const OptionValues& options, const Machine& machine, Host& host,
                   int target, PortableBundle& bundle) {
  AlteredHost altered(host, machine.facts, machine.mechanisms);
  Compilation compilation;
  OptionValues own = options;
  DS_TRY_VOID(compile(compilation, command_line, own, altered, target));
  // Another machine may lack what the program needs: the bundle then has no code for it.
  if (compilation.diagnostics.has_errors()) return {};
  for (CodeForm form : {CodeForm::Fast, CodeForm::Checked, CodeForm::CheckedAwake}) {
    auto code = portable_code(compilation, form);
    if (!code) return fail(std::move(code.error()));
    if (!is_known(bundle.codes, *code)) bundle.codes.push_back(std::move(*code));
  }
  return {};
}

Result<> write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) return fail(Error::from_errno(errno, "cannot write {}", path));
  return {};
}

}  // namespace

Result<int> build_bundle(const CommandLine& command_line, const OptionValues& given_options) {
  OptionValues options = given_options;
  // The arguments of the run are unknown. Those of this command line are examples, and absent ones are 0 and "".
  options.set_number(OptionId::Defaultargs, 1);
  MessageStyle style = message_style(command_line.program_name, options);
  DS_TRY(std::unique_ptr<Targets> targets, create_targets(command_line, options));
  // As in the process that runs the bundle: without a decoder of machine code.
  std::unique_ptr<LiveHost> host = make_host(command_line, options, *targets, nullptr);
  std::unique_ptr<Progress> progress = make_progress(command_line, options);
  Compilation compilation;
  OptionValues own = options;
  auto compiled = compile(compilation, command_line, own, *host, targets->first_pid(), progress.get());
  progress->clear();
  if (!compiled) return fail(mistake(std::move(compiled.error()), style));
  if (compilation.diagnostics.has_errors()) return report(command_line.program_name, options, compilation.diagnostics);

  PortableBundle bundle{.builder = release_name(),
                        .invoked_as = command_line.invoked_as,
                        .data_model = command_line.data_model,
                        .is_destructive = compilation.compiled.plan.is_destructive};
  add_sources(compilation, command_line, bundle);
  add_settings(command_line, bundle);
  for (const ClauseInstance& clause : compilation.meaning.clauses) bundle.probes.push_back(clause.description);
  progress->show("generating code");
  for (const Machine& machine : machines(host->facts(), host->function_mechanisms(), compilation.compiled.plan)) {
    DS_TRY_VOID(add_codes(command_line, options, machine, *host, targets->first_pid(), bundle));
  }
  progress->clear();
  DS_TRY_VOID(write_file(command_line.bundle_file, pack_portable_bundle(bundle)));
  return 0;
}

}  // namespace dscope
