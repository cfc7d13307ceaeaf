#include "driver/trace/trace.h"

#include <algorithm>

#include "contract/follow.h"
#include "contract/process_provider.h"
#include "driver/run/messages.h"
#include "driver/run/session_run.h"
#include "driver/trace/exec_notice.h"
#include "driver/trace/follower.h"
#include "driver/trace/load_policy.h"
#include "runtime/kernel/machine_record.h"
#include "runtime/providers/record_machine.h"
#include "runtime/session/session.h"
#include "support/print_message.h"

namespace dscope {

namespace {

// Returns the code to add to the session for probes that appeared while tracing; nullopt if there are none. `form`: the
// form of the code that the kernel accepted for the session.
Result<std::optional<Extension>> make_extension(Result<const Compilation*> recompiled, CodeSource& source,
                                                CodeForm form) {
  DS_TRY(const Compilation* compilation, std::move(recompiled));
  if (compilation == nullptr) return std::nullopt;
  DS_TRY(GeneratedCode code, source.generate(*compilation, form));
  return Extension{.plan = std::move(code.plan), .object = std::move(code.object)};
}

std::string text_of_programs(const Compilation& compilation) {
  std::string text;
  for (UnitId id : compilation.user_units) {
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    text += compilation.sources.unit(id).text;
  }
  return text;
}

bool has_probes_of_all_processes(const Compilation& compilation) {
  auto is_of_all = [](const Probe* probe) { return is_of_all_processes(probe->provider); };
  return std::ranges::any_of(compilation.meaning.clauses, [&](const ClauseInstance& clause) {
    return std::ranges::any_of(clause.probes, is_of_all);
  });
}

// The result holds references to `input` and `follower`.
SessionOptions extensible_session(const TraceInput& input, Follower& follower, RunPictures& pictures) {
  const OptionValues& options = input.compilation.compiled.plan.options;
  const CodeForm& form = input.code.form;
  CodeSource& source = input.source;
  AwaitedProbes& awaited = input.awaited;
  SessionOptions result =
      session_options(input.command_line, input.compilation.compiled.plan, input.targets, input.progress, pictures);
  if (input.recording != nullptr) {
    result.wrap_consumer = [&input](std::unique_ptr<Consumer> printing, Symbolizer& symbols) {
      return input.recording->wrap(input.code.plan, std::move(printing), symbols);
    };
    return result;  // a capture has no place for probes that appear later
  }
  result.extend = [&](uint32_t pid) { return make_extension(follower.recompile_after_exec(pid), source, form); };
  result.extends_on_load = may_gain_probes(options);
  result.awaits_probes = [&] { return awaited.has_some_of_processes() || options.is_on(OptionId::Rtldstop); };
  if (options.is_on(OptionId::Zdefs) && has_probes_of_all_processes(input.compilation))
    result.extend_by_file = [&](uint32_t pid, const std::string& path) {
      return make_extension(follower.recompile_for_file(pid, path), source, form);
    };
  if (input.modules != nullptr) {
    result.modules = input.modules;
    result.extend_by_modules = [&](const std::vector<std::string>& names) {
      return make_extension(follower.recompile_for_modules(names), source, form);
    };
  }
  return result;
}

Result<> open_recording(Recording& recording, const Targets& targets) {
  std::string types;
  if (recording.program().start.info.has(CapturePart::Types)) {
    DS_TRY(MachineRecord machine, record_machine());
    DS_TRY(types, pack_machine(machine));
  }
  return recording.open(targets, std::move(types));
}

}  // namespace

Result<int> trace(const TraceInput& input, FdStream& out) {
  const CommandLine& command_line = input.command_line;
  const OptionValues& options = input.compilation.compiled.plan.options;
  DS_TRY_VOID(check_privileges());
  Follower follower(command_line, options, input.host, input.targets.pids(), input.compilation, input.awaited);
  DS_TRY(std::unique_ptr<RunPictures> pictures,
         RunPictures::open(command_line, options, [&] { return text_of_programs(input.compilation); }, out));
  DS_TRY(std::unique_ptr<Session> session,
         load(input.code, input.compilation, input.source, extensible_session(input, follower, *pictures)));
  if (input.recording != nullptr) DS_TRY_VOID(open_recording(*input.recording, input.targets));
  if (input.kept != nullptr) input.kept->store(input.compilation, input.code, input.awaited, input.recording);
  ExecNotice execs(input.compilation, input.targets.pids());
  DS_TRY(SessionResult result,
         run_session(*session, command_line, input.code.plan, input.targets, input.progress, *pictures, out));
  if (input.recording != nullptr) DS_TRY_VOID(input.recording->finish());
  if (!is_testing())
    for (const std::string& line : input.awaited.unmatched_messages(input.host, options.is_on(OptionId::Quiet)))
      print_text(fmt::format("{}: {}\n", command_line.program_name, visible_text(line)));
  // Other DTraces do not report that a target executed another program.
  if (!is_testing() && !command_line.is_dtrace())
    for (const std::string& line : execs.messages())
      print_text(fmt::format("{}: {}\n", command_line.program_name, visible_text(line)));
  return result.exit_status;
}

}  // namespace dscope
