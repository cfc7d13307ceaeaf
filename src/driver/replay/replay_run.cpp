#include "driver/replay/replay_run.h"

#include <algorithm>
#include <cstring>

#include "driver/compile/compilation.h"
#include "driver/compile/report_diagnostics.h"
#include "driver/inspect/list_probes.h"
#include "driver/replay/native_program.h"
#include "driver/run/messages.h"
#include "driver/run/notices.h"
#include "driver/run/output.h"
#include "driver/run/pictures.h"
#include "driver/run/session_run.h"
#include "driver/run/setup.h"
#include "driver/run/terminal.h"
#include "driver/trace/awaited_probes.h"
#include "driver/trace/limits.h"
#include "driver/trace/program_notices.h"
#include "runtime/format/fragment_stream.h"

namespace dscope {

namespace {

// dscope itself, which fires BEGIN, END and ticks in a run on the kernel. Files of other tracers do not name it.
TracerIdentity tracer_of(const ReplaySubject& subject, const CommandLine& command_line) {
  if (subject.tracer) return *subject.tracer;
  TracerIdentity tracer = current_tracer();
  tracer.execname = command_line.program_name;
  return tracer;
}

FiringThread thread_of(const TracerIdentity& tracer) {
  FiringThread thread;
  thread.pid = thread.tid = tracer.pid;
  thread.ppid = tracer.ppid;
  thread.uid = tracer.uid;
  thread.gid = tracer.gid;
  const std::string& name = tracer.execname;
  std::memcpy(thread.name.data(), name.data(), std::min(name.size(), thread.name.size() - 1));
  return thread;
}

std::vector<std::vector<ReplayProgram>> programs_by_probe(const NativeProgram& program,
                                                          const std::vector<uint32_t>& probes) {
  std::vector<std::vector<ReplayProgram>> result(probes.size());
  for (size_t i = 0; i < program.programs.size(); ++i)
    for (const Attachment& attachment : program.plan.programs[i].attachments) {
      const auto* hook = std::get_if<HookRawTracepoint>(&attachment.hook);
      auto probe = hook != nullptr ? probe_of_replay_hook(hook->name) : std::nullopt;
      if (probe && *probe < probes.size()) result[*probe].push_back({program.programs[i], attachment.cookie});
    }
  for (size_t i = 0; i < probes.size(); ++i)
    if (probes[i] < i) result[i] = result[probes[i]];
  return result;
}

Result<int> run(const CommandLine& command_line, const ReplaySubject& subject, const NativeProgram& program,
                FdStream& out) {
  DS_TRY(std::unique_ptr<Targets> targets, create_targets(CommandLine{}, program.plan.options));
  std::unique_ptr<Progress> progress = make_progress(command_line, program.plan.options);
  DS_TRY(std::unique_ptr<RunPictures> pictures,
         RunPictures::open(command_line, program.plan.options, [&] { return script_text(command_line); }, out));
  SessionOptions options = session_options(command_line, program.plan, *targets, *progress, *pictures);
  options.target_tgid = subject.target_pid;
  ReplayInput input{.plan = program.plan,
                    .machine = *program.machine,
                    .programs = program.programs,
                    .programs_of_probe = programs_by_probe(program, subject.probes),
                    .firings = subject.firings,
                    .recordings = subject.recordings.empty() ? std::vector<CapturedClocks>(1) : subject.recordings,
                    .tracer = thread_of(tracer_of(subject, command_line)),
                    .options = options};
  FdStream messages(STDERR_FILENO);
  FragmentStream fragments(out, command_line.program_name);
  OutputStream& shown = command_line.shows_fragments ? static_cast<OutputStream&>(fragments) : out;
  auto result = run_replay(input, subject.symbols, shown, messages);
  progress->clear();
  Result<> drawn = pictures->write();
  if (!result) return fail(std::move(result).error());
  DS_TRY_VOID(std::move(drawn));
  return result->exit_status;
}

}  // namespace

Result<int> replay(const CommandLine& command_line, OptionValues& options, const ReplaySubject& subject) {
  options.set_number(OptionId::Ringcpus, 0);  // one thread runs all programs
  // Captures hold user stacks as addresses.
  (void)options.set("ustackunwind", "fp", true, OptionOrigin::CommandLine);
  DS_TRY(std::unique_ptr<FdStream> out, open_output(command_line));
  Compilation compilation;
  compilation.replaced_libraries = subject.libraries;
  compilation.tracer = subject.tracer;
  compilation.key_sources = subject.key_sources;
  MessageStyle style = message_style(command_line.program_name, options);
  auto compiled = compile(compilation, command_line, options, subject.host, static_cast<int>(subject.target_pid));
  if (!compiled) return fail(mistake(std::move(compiled).error(), style));
  if (command_line.mode == RunMode::List && !compilation.diagnostics.has_errors())
    return list_probes(command_line, options, compilation, subject.host, *out);
  if (subject.check && !compilation.diagnostics.has_errors()) subject.check(compilation);
  if (subject.explain && compilation.diagnostics.has_errors()) subject.explain(compilation);
  if (compilation.diagnostics.has_errors()) return report(command_line.program_name, options, compilation.diagnostics);
  // From here on the D program is correct.
  for (ProgramLayout& layout : compilation.compiled.layout.programs) layout.is_return = true;  // events have errno

  if (command_line.is_compile_only) return 0;
  DS_TRY(std::unique_ptr<NativeProgram> program, make_native_program(compilation, subject.host));
  AwaitedProbes awaited(compilation);
  print_notices(command_line, compilation.compiled.plan,
                {.awaited = {}, .reports = {}, .lines = program_notices(command_line, compilation)}, *out);
  DS_TRY_VOID(check_enabling(compilation, program->plan, awaited, command_line.forbids_destructive, style));
  return run(command_line, subject, *program, *out);
}

}  // namespace dscope
