#include "driver/start/bundle_run.h"

#include <signal.h>

#include <cstdio>
#include <cstdlib>

#include "driver/bundle/bound_kernel.h"
#include "driver/bundle/bundle_code.h"
#include "driver/bundle/open_bundle.h"
#include "driver/command_line/usage.h"
#include "driver/compile/compilation.h"
#include "driver/compile/report_diagnostics.h"
#include "driver/inspect/program_stability.h"
#include "driver/run/live_environment.h"
#include "driver/run/messages.h"
#include "driver/run/notices.h"
#include "driver/run/output.h"
#include "driver/run/session_run.h"
#include "driver/run/setup.h"
#include "driver/run/standard_streams.h"
#include "driver/run/terminal.h"
#include "driver/start/viewers.h"
#include "driver/trace/awaited_probes.h"
#include "driver/trace/host.h"
#include "driver/trace/limits.h"
#include "driver/trace/program_notices.h"
#include "driver/trace/trace.h"
#include "runtime/kernel/machine_record.h"
#include "support/catch_exceptions.h"
#include "support/print_message.h"
#include "support/spawn_signals.h"

namespace dscope {

namespace {

std::string runner_help(std::string_view name) {
  return fmt::format(
      "{0} - runs a D program that `dscope --build=FILE` compiled. Run as root:\n\n"
      "  {0} FILE [ARGUMENTS] [-- COMMAND ...]     # ARGUMENTS are $1, $2, ... of the program\n"
      "  {0} -q -p 1234 FILE 10                    # options as of dscope, before or behind FILE\n\n"
      "  -c COMMAND        run COMMAND, and trace until it ends; $target is its pid\n"
      "  -p PID            trace until process PID ends; $target is PID\n"
      "  -w                allow destructive actions\n"
      "  -Z                allow descriptions that match no probe\n"
      "  -o FILE           append the output to FILE instead of standard output\n"
      "  -q                print only the output of the program\n"
      "  -F                indent rows by function entry and return\n"
      "  --format=FORMAT   output format: text, json, csv, folded, svg, pprof, speedscope\n"
      "  --report=FILE     write a page with pictures of the run; --timeline=FILE a Perfetto trace\n"
      "  -b SIZE           size of the record buffer per CPU, as in 512k, 4m, 1g\n"
      "  -x NAME[=VALUE]   set an option (see man dscope)\n"
      "  --info=FILE       describe a bundle\n",
      name);
}

// The command line of the run: the bundle's, with the operands, targets and options of this one.
Result<> apply_bundle(const PortableBundle& bundle, CommandLine& line, ArchivedSources& sources) {
  line.operands.erase(line.operands.begin());
  line.invoked_as = bundle.invoked_as;
  line.data_model = bundle.data_model;
  // --report and --serve set them. A bundle has the records and the maps that it was built with.
  std::erase_if(line.settings,
                [](const OptionSetting& setting) { return setting.name == "rowstamps" || setting.name == "served"; });
  std::vector<OptionSetting> settings;
  for (const BundledSetting& setting : bundle.settings)
    settings.push_back(
        {.name = setting.name, .value = setting.value, .has_value = setting.has_value, .flag = setting.flag});
  line.settings.insert(line.settings.begin(), settings.begin(), settings.end());
  for (const BundledProgram& program : bundle.programs) {
    line.programs.push_back({.letter = program.letter, .text = program.name});
    sources.programs.push_back(program.text);
  }
  for (const BundledLibrary& library : bundle.libraries)
    sources.libraries.push_back(
        {.path = library.path, .text = library.text, .is_built_in = library.is_built_in, .dependencies = {}});
  if (line.programs.empty()) return fail(Error("the bundle has no program"));
  return {};
}

Result<int> trace_bundle(const CommandLine& line, OptionValues& options, const PortableBundle& bundle,
                         const ArchivedSources& sources) {
  // Before the command of -c runs.
  if (!line.is_dry_run) DS_TRY_VOID(check_kernel());
  DS_TRY(std::unique_ptr<FdStream> out, open_output(line));
  DS_TRY_VOID(preallocate(options));
  limit_foreign_files(line, options);
  DS_TRY(std::unique_ptr<Targets> targets, create_targets(line, options));
  std::optional<ModuleWatch> modules = watch_modules(line, options);
  std::unique_ptr<LiveHost> host = make_host(line, options, *targets);
  std::unique_ptr<Progress> progress = make_progress(line, options);
  Compilation compilation;
  compilation.archived = &sources;
  auto compiled = compile(compilation, line, options, *host, targets->first_pid(), progress.get());
  progress->clear();
  if (!compiled) return fail(mistake(std::move(compiled.error()), message_style(line.program_name, options)));
  if (compilation.diagnostics.has_errors()) return report(line.program_name, options, compilation.diagnostics);

  DS_TRY_VOID(check_clause_counts(compilation));
  BundleCode source(bundle);
  DS_TRY(GeneratedCode code, source.generate(compilation, CodeForm::Fast));
  if (line.is_dry_run) {
    out->write({code.object.bytes.data(), code.object.bytes.size()});
    return finish_output(*out);
  }
  std::vector<std::string> reports;
  if (line.is_verbose) reports = stability_reports(compilation, *host, false);
  AwaitedProbes awaited(compilation);
  print_notices(line, compilation.compiled.plan,
                {.awaited = awaited.counts(compilation.compiled.plan.units.size()),
                 .reports = std::move(reports),
                 .lines = program_notices(line, compilation)},
                *out);
  DS_TRY_VOID(check_enabling(compilation, code.plan, awaited, line.forbids_destructive,
                             message_style(line.program_name, options)));
  return trace({.command_line = line,
                .compilation = compilation,
                .code = code,
                .source = source,
                .awaited = awaited,
                .host = *host,
                .targets = *targets,
                .modules = modules ? &*modules : nullptr,
                .progress = *progress,
                .kept = nullptr},
               *out);
}

// Returns what the command line asks for besides a bundle; empty if it is right.
std::string misuse_of(const CommandLine& line) {
  if (!line.programs.empty()) return "the program is in the bundle: omit -n, -s and other programs";
  // --dump=object, also for the machine of --facts, prints the completed code, so that tests can compare it.
  bool prints_code = line.is_dry_run && line.dumps == std::vector{DumpStage::Object};
  bool is_run = line.mode == RunMode::Trace && line.is_dry_run == prints_code && !line.is_compile_only &&
                (line.facts_file.empty() || prints_code) && line.bundle_file.empty();
  if (!is_run) return "a bundle can only be run: use dscope for other modes";
  if (line.operands.empty()) return "no bundle specified";
  if (line.is_live || line.has_page) return "--live compiles programs: use dscope";
  return {};
}

int print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

Result<int> run(CommandLine& line) {
  std::unique_ptr<MachineInUse> machine;
  if (!line.facts_file.empty()) {
    DS_TRY(machine, MachineInUse::open(line.facts_file));
  }
  DS_TRY(PortableBundle bundle, open_bundle(line.operands.front()));
  if (machine == nullptr) DS_TRY_VOID(use_bound_types(bundle));
  ArchivedSources sources;
  DS_TRY_VOID(apply_bundle(bundle, line, sources));
  DS_TRY(OptionValues options, make_options(line, [](const std::string& name) { return std::getenv(name.c_str()); }));
  return trace_bundle(line, options, bundle, sources);
}

}  // namespace

int run_bundle(std::span<const char* const> arguments) {
  open_missing_streams();
  for (int ignored : ignored_signals) signal(ignored, SIG_IGN);
  auto line = parse_command_line(arguments);
  std::string_view name = program_invocation_short_name;
  if (!line) {
    // The usage behind the mistake is that of dscope.
    std::string mistake = line.error().text.substr(0, line.error().text.find("Usage: "));
    print_text(arguments.size() < 2 ? runner_help(name)
                                    : fmt::format("{}Try '{} --help'.\n", visible_text(mistake), name));
    return line.error().exit_status;
  }
  if (line->mode == RunMode::Help) return print(runner_help(name));
  if (line->mode == RunMode::Version) return print(version_text(name, line->is_verbose));
  if (line->mode == RunMode::Info) {
    auto text = describe_bundle_file(line->bundle_file);
    return text ? print(*text) : report(name, text.error());
  }
  if (std::string misuse = misuse_of(*line); !misuse.empty()) {
    print_text(fmt::format("{}: {}\nTry '{} --help'.\n", name, misuse, name));
    return 2;
  }
  apply_live_environment(*line);
  if (needs_viewer(*line)) return start_viewer(*line, const_cast<char* const*>(arguments.data()));
  forget_live_environment(*line);
  Result<int> status = catch_exceptions([&] { return run(*line); });
  return status ? *status : report(line->program_name, status.error());
}

}  // namespace dscope
