#include "driver/driver.h"

#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "driver/bundle/build_bundle.h"
#include "driver/bundle/open_bundle.h"
#include "driver/command_line/command_line.h"
#include "driver/command_line/usage.h"
#include "driver/compile/code_generation.h"
#include "driver/compile/compilation.h"
#include "driver/compile/report_diagnostics.h"
#include "driver/import/open_recording.h"
#include "driver/inspect/capture_description.h"
#include "driver/inspect/list_probes.h"
#include "driver/inspect/print_products.h"
#include "driver/inspect/program_stability.h"
#include "driver/inspect/save_facts.h"
#include "driver/inspect/side_effects.h"
#include "driver/record/recording.h"
#include "driver/record/recording_compilation.h"
#include "driver/record/redaction.h"
#include "driver/run/live_environment.h"
#include "driver/run/messages.h"
#include "driver/run/notices.h"
#include "driver/run/output.h"
#include "driver/run/session_run.h"
#include "driver/run/setup.h"
#include "driver/run/standard_streams.h"
#include "driver/run/terminal.h"
#include "driver/trace/awaited_probes.h"
#include "driver/trace/host.h"
#include "driver/trace/limits.h"
#include "driver/trace/program_notices.h"
#include "driver/trace/trace.h"
#include "driver/usdt/usdt_build.h"
#include "frontend/record/recorded_clauses.h"
#include "runtime/kernel/machine_record.h"
#include "support/catch_exceptions.h"
#include "support/print_message.h"
#include "support/spawn_signals.h"

namespace dscope {

namespace {

int print_to_stdout(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

Result<int> print_info(const CommandLine& command_line) {
  const std::string& path = command_line.bundle_file;
  auto text = is_recording(path) ? describe_capture(path) : describe_bundle_file(path);
  if (!text) return fail(std::move(text).error());
  return print_to_stdout(*text);
}

// Returns the exit status of a run that traces nothing because the command line has no program.
Result<int> finish_without_program(const CommandLine& command_line, const OptionValues& options) {
  if (command_line.is_compile_only) return 0;
  return fail(mistake(Error("no probes specified").hint(program_hint(command_line)),
                      message_style(command_line.program_name, options)));
}

// -h and -G: writes a file for the build of a traced program; traces nothing.
Result<int> build_usdt(const CommandLine& command_line, OptionValues& options) {
  std::unique_ptr<Host> host = make_live_host();
  Compilation compilation;
  auto compiled = compile(compilation, command_line, options, *host, 0);
  if (!compiled) return fail(mistake(std::move(compiled.error()), message_style(command_line.program_name, options)));
  if (compilation.diagnostics.has_errors()) return report(command_line.program_name, options, compilation.diagnostics);
  DS_TRY_VOID(command_line.mode == RunMode::Header ? write_usdt_header(command_line, compilation)
                                                   : write_usdt_object(command_line, compilation));
  return 0;
}

// The machine and the processes that a program is compiled for.
struct CompileInput {
  Host& host;
  const Targets& targets;
  RecordingCompilation* recording;  // null: nothing is recorded
};

// Compiles all units of the command line. A mistake in the D program is left in `compilation.diagnostics`.
Result<> compile_programs(Compilation& compilation, const CommandLine& command_line, OptionValues& options,
                          const CompileInput& input, Progress& progress) {
  RecordingCompilation* recording = input.recording;
  if (recording != nullptr) compilation.recording = &recording->plan();
  auto compiled = compile(compilation, command_line, options, recording != nullptr ? recording->host() : input.host,
                          input.targets.first_pid(), &progress);
  progress.clear();
  if (!compiled) return fail(mistake(std::move(compiled.error()), message_style(command_line.program_name, options)));
  if (recording != nullptr)
    add_recorded_probes(recording->plan(), compilation.user_units, compilation.compiled.plan.units);
  if (options.is_on(OptionId::Debug)) print_skipped_libraries(command_line, compilation);
  return print_trees(options, compilation);
}

// Nullopt: nothing is recorded.
Result<std::optional<Recording>> make_recording(RecordingCompilation* recorded, const Compilation& compilation,
                                                const CommandLine& command_line) {
  if (recorded == nullptr) return std::nullopt;
  DS_TRY(RecordedProgram program, recorded->describe(compilation, command_line));
  return Recording(command_line, compilation.compiled.plan.options, std::move(program));
}

// Whether each start must name probes that are not recorded, which only the compiler finds.
bool names_later_probes(RecordingCompilation* recorded) {
  return recorded != nullptr && !recorded->plan().later_probes.empty();
}

bool is_traced(const CommandLine& command_line) {
  return command_line.mode == RunMode::Trace && !command_line.is_dry_run && !command_line.is_compile_only;
}

// The machine of --facts; null: this one.
Result<std::unique_ptr<MachineInUse>> use_machine(const CommandLine& command_line) {
  if (command_line.facts_file.empty()) return nullptr;
  return MachineInUse::open(command_line.facts_file);
}

// Runs the modes that only read or write a file. Nullopt: the mode is another one.
std::optional<Result<int>> run_file_mode(const CommandLine& command_line, const OptionValues& options) {
  if (command_line.mode == RunMode::SaveFacts) return save_facts(command_line.facts_file);
  if (command_line.mode == RunMode::Info) return print_info(command_line);
  if (command_line.mode == RunMode::Redact) return redact(command_line, options);
  return std::nullopt;
}

// The phases of a run. Returns the exit status.
Result<int> run_program(const CommandLine& command_line, OptionValues& options) {
  if (auto done = run_file_mode(command_line, options)) return std::move(*done);
  if (command_line.builds() && !command_line.programs.empty()) return build_bundle(command_line, options);
  DS_TRY(std::unique_ptr<MachineInUse> machine, use_machine(command_line));
  if (command_line.mode == RunMode::Header || command_line.mode == RunMode::Object)
    return build_usdt(command_line, options);
  if (command_line.mode == RunMode::Trace && command_line.programs.empty())
    return finish_without_program(command_line, options);
  // Before the compiler and the command of -c run: their errors would be consequences.
  if (is_traced(command_line)) DS_TRY_VOID(check_kernel());

  DS_TRY(std::unique_ptr<FdStream> out, open_output(command_line));
  DS_TRY_VOID(preallocate(options));
  limit_foreign_files(command_line, options);
  DS_TRY(std::unique_ptr<Targets> targets, create_targets(command_line, options));
  std::optional<ModuleWatch> modules = watch_modules(command_line, options);
  std::unique_ptr<LiveHost> host = make_host(command_line, options, *targets);
  KeptCode kept(command_line, options);
  DS_TRY(std::unique_ptr<RecordingCompilation> recorded, RecordingCompilation::prepare(command_line, options, *host));
  Compilation compilation;
  std::unique_ptr<Progress> progress = make_progress(command_line, options);
  DS_TRY_VOID(compile_programs(compilation, command_line, options, {*host, *targets, recorded.get()}, *progress));
  if (compilation.diagnostics.has_errors()) return report(command_line.program_name, options, compilation.diagnostics);
  // From here on the D program is correct: later failures are the machine's, or ours.

  if (command_line.mode == RunMode::List) return list_probes(command_line, options, compilation, *host, *out);
  DS_TRY_VOID(write_types(options, compilation));
  if (command_line.is_dry_run) return print_dumps(command_line, options, compilation, *host, *out);
  std::vector<std::string> reports;
  if (command_line.is_verbose) reports = stability_reports(compilation, *host, command_line.is_compile_only);
  DS_TRY_VOID(print_code(options, compilation, *progress));
  if (command_line.is_compile_only) return print_reports(reports, *out);

  DS_TRY_VOID(check_clause_counts(compilation));
  DS_TRY_VOID(check_snapshots(compilation.compiled.plan, command_line));
  Compiler compiler;
  DS_TRY(GeneratedCode code, generate_code(compilation, *progress));
  AwaitedProbes awaited(compilation);
  print_notices(command_line, compilation.compiled.plan,
                {.awaited = awaited.counts(compilation.compiled.plan.units.size()),
                 .reports = std::move(reports),
                 .lines = program_notices(command_line, compilation)},
                *out);
  MessageStyle style = message_style(command_line.program_name, options);
  DS_TRY_VOID(check_enabling(compilation, code.plan, awaited, command_line.forbids_destructive, style));
  DS_TRY(std::optional<Recording> recording, make_recording(recorded.get(), compilation, command_line));
  // From here on we touch the kernel: the first and only place that needs privileges.
  return trace({.command_line = command_line,
                .compilation = compilation,
                .code = code,
                .source = compiler,
                .awaited = awaited,
                .host = *host,
                .targets = *targets,
                .modules = modules ? &*modules : nullptr,
                .progress = *progress,
                .kept = names_later_probes(recorded.get()) ? nullptr : &kept,
                .recording = recording ? &*recording : nullptr},
               *out);
}

// Reports an option that cannot be set. Reads option diagnostics from the command line, because there are no option
// values yet.
int report_setting(const CommandLine& command_line, const Error& error) {
  std::string_view diagnostics;
  for (const OptionSetting& setting : command_line.settings)
    if (setting.name == "diagnostics") diagnostics = setting.value;
  return report(command_line.program_name, mistake(error, message_style(command_line.program_name, diagnostics)));
}

}  // namespace

int run(std::span<const char* const> arguments) {
  open_missing_streams();
  for (int ignored : ignored_signals) signal(ignored, SIG_IGN);
  auto command_line = parse_command_line(arguments);
  if (!command_line) {
    print_text(visible_text(command_line.error().text));
    return command_line.error().exit_status;
  }
  apply_live_environment(*command_line);
  forget_live_environment(*command_line);
  if (command_line->mode == RunMode::Help) return print_to_stdout(help_text(*command_line));
  if (command_line->mode == RunMode::Version)
    return print_to_stdout(version_text(command_line->program_name, command_line->is_verbose));
  auto options = make_options(*command_line, [](const std::string& name) { return std::getenv(name.c_str()); });
  if (!options) return report_setting(*command_line, options.error());
  Result<int> status = catch_exceptions([&] { return run_program(*command_line, *options); });
  int exit_status = status ? *status : report(command_line->program_name, status.error());
  if (options->is_on(OptionId::Core)) std::abort();
  return exit_status;
}

}  // namespace dscope
