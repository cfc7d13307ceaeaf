#include "driver/run/trace.h"

#include <unistd.h>

#include <algorithm>

#include "codegen/core/demangle.h"
#include "contract/follow.h"
#include "contract/process_provider.h"
#include "driver/run/exec_notice.h"
#include "driver/run/follower.h"
#include "driver/run/load_policy.h"
#include "driver/run/messages.h"
#include "driver/run/terminal.h"
#include "runtime/format/fragment_stream.h"
#include "runtime/session/session.h"
#include "runtime/symbols/live_symbolizer.h"
#include "support/print_message.h"

namespace dscope {

namespace {

SymbolizerSettings symbolizer_settings(const CommandLine& command_line, const ProgramPlan& plan) {
  auto print_hidden_kernel = [name = command_line.program_name] {
    print_message(
        "{}: the kernel hides the addresses of its symbols (sysctl kernel.kptr_restrict; CAP_SYSLOG): kernel functions "
        "appear as numbers\n",
        name);
  };
  return {.demangle = plan.options.is_on(OptionId::Mangled) ? nullptr : demangle,
          .is_watching = names_user_addresses(plan),
          .on_hidden_kernel = print_hidden_kernel};
}

// Returns the code to add to the session for probes that appeared while tracing; nullopt if there are none. `options`:
// the options of the code that the kernel accepted for the session.
Result<std::optional<Extension>> make_extension(Result<const Compilation*> recompiled, const LowerOptions& options) {
  DS_TRY(const Compilation* compilation, std::move(recompiled));
  if (compilation == nullptr) return std::nullopt;
  DS_TRY(GeneratedCode code, generate_code(*compilation, options));
  return Extension{.plan = std::move(code.plan), .object = std::move(code.object)};
}

bool has_probes_of_all_processes(const Compilation& compilation) {
  auto is_of_all = [](const Probe* probe) { return is_of_all_processes(probe->provider); };
  return std::ranges::any_of(compilation.meaning.clauses, [&](const ClauseInstance& clause) {
    return std::ranges::any_of(clause.probes, is_of_all);
  });
}

// True if a program that knows DTrace's messages and output may read them.
bool is_for_programs(const CommandLine& command_line, const OptionValues& options) {
  return command_line.is_dtrace() || is_testing() || options.text(OptionId::Diagnostics) == "classic";
}

// Standard error if a person reads it.
std::optional<Terminal> human_terminal(const CommandLine& command_line, const OptionValues& options) {
  if (is_for_programs(command_line, options) || ::isatty(STDERR_FILENO) == 0) return std::nullopt;
  return describe_terminal(STDERR_FILENO);
}

// The result holds references to `input` and `follower`.
SessionOptions session_options(const TraceInput& input, Follower& follower) {
  const OptionValues& options = input.compilation.compiled.plan.options;
  const LowerOptions& lowering = input.code.options;
  AwaitedProbes& awaited = input.awaited;
  SessionOptions result{
      .program_name = input.command_line.program_name,
      .is_testing = is_testing(),
      .prints_as_dtrace = input.command_line.is_dtrace() || is_testing(),
      .is_verbose = input.command_line.is_verbose || options.is_on(OptionId::Debug),
      .shows_hints = !is_for_programs(input.command_line, options),
      .terminal = human_terminal(input.command_line, options),
      .fits_columns = !is_for_programs(input.command_line, options) && !input.command_line.output_file &&
                      ::isatty(STDOUT_FILENO) == 1,
      .line_width = describe_terminal(STDOUT_FILENO).width,
      .target_tgid = static_cast<uint32_t>(input.targets.first_pid()),
      .progress = &input.progress,
      .extend = [&](uint32_t pid) { return make_extension(follower.recompile_after_exec(pid), lowering); },
      .extends_on_load = may_gain_probes(options),
      .awaits_probes = [&] { return awaited.has_some_of_processes() || options.is_on(OptionId::Rtldstop); }};
  if (options.is_on(OptionId::Zdefs) && has_probes_of_all_processes(input.compilation))
    result.extend_by_file = [&](uint32_t pid, const std::string& path) {
      return make_extension(follower.recompile_for_file(pid, path), lowering);
    };
  if (input.modules != nullptr) {
    result.modules = input.modules;
    result.extend_by_modules = [&](const std::vector<std::string>& names) {
      return make_extension(follower.recompile_for_modules(names), lowering);
    };
  }
  return result;
}

}  // namespace

Result<int> trace(const TraceInput& input, FdStream& out) {
  const CommandLine& command_line = input.command_line;
  const OptionValues& options = input.compilation.compiled.plan.options;
  if (std::string missing = why_not_privileged(); !missing.empty())
    return fail(Error(missing).hint("use --dry-run to see the compiled program without privileges").status(2));
  Follower follower(command_line, options, input.host, input.targets.pids(), input.compilation, input.awaited);
  DS_TRY(std::unique_ptr<Session> session, load(input.code, input.compilation, session_options(input, follower)));
  if (options.is_on(OptionId::Destructive) && !options.is_on(OptionId::Quiet))
    print_message("{}: allowing destructive actions\n", command_line.program_name);
  if (!options.is_on(OptionId::Destructive)) out.keep_earlier_content();

  auto symbols = make_live_symbolizer(symbolizer_settings(command_line, input.code.plan));
  for (uint32_t pid : input.targets.pids()) symbols->remember_process(pid);
  FdStream messages(STDERR_FILENO);
  FragmentStream fragments(out, command_line.program_name);
  OutputStream& shown = command_line.shows_fragments ? static_cast<OutputStream&>(fragments) : out;
  ExecNotice execs(input.compilation, input.targets.pids());
  auto result = session->run(input.targets, *symbols, shown, messages);
  input.progress.clear();
  if (!result) return fail(std::move(result.error()));
  if (!is_testing())
    for (const std::string& line : input.awaited.unmatched_messages(input.host, options.is_on(OptionId::Quiet)))
      print_text(fmt::format("{}: {}\n", command_line.program_name, visible_text(line)));
  // Other DTraces do not report that a target executed another program.
  if (!is_testing() && !command_line.is_dtrace())
    for (const std::string& line : execs.messages())
      print_text(fmt::format("{}: {}\n", command_line.program_name, visible_text(line)));
  return result->exit_status;
}

}  // namespace dscope
