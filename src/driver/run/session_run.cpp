#include "driver/run/session_run.h"

#include <unistd.h>

#include "codegen/core/demangle.h"
#include "driver/run/messages.h"
#include "driver/run/pass_descriptor.h"
#include "driver/run/terminal.h"
#include "runtime/format/fragment_stream.h"
#include "runtime/session/container_maps.h"
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
          .names_containers = names_containers(plan),
          .on_hidden_kernel = print_hidden_kernel};
}

RunHandover handover(const CommandLine& command_line) {
  RunHandover handover{.replaced_state_fd = command_line.replaced_state_fd,
                       .shared_fd = command_line.shared_handover_fd,
                       .on_loaded = {}};
  if (int control = command_line.control_fd; control >= 0)
    handover.on_loaded = [control](int state_fd, int shared_fd) {
      if (send_descriptor(control, state_fd) && shared_fd >= 0) send_descriptor(control, shared_fd);
    };
  return handover;
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

}  // namespace

Result<> check_kernel() {
  std::string reason = why_kernel_is_too_old();
  if (reason.empty()) return {};
  return fail(Error(reason).hint("-l, -e and --dry-run work on older kernels, too").status(2));
}

Result<> check_privileges() {
  std::string missing = why_not_privileged();
  if (missing.empty()) return {};
  return fail(Error(missing).hint("use --dry-run to see the compiled program without privileges").status(2));
}

SessionOptions session_options(const CommandLine& command_line, const ProgramPlan& plan, const Targets& targets,
                               Progress& progress, RunPictures& pictures) {
  const OptionValues& options = plan.options;
  bool is_for_people = !is_for_programs(command_line, options);
  return {.program_name = command_line.program_name,
          .is_testing = is_testing(),
          .prints_as_dtrace = command_line.is_dtrace() || is_testing(),
          .is_verbose = command_line.is_verbose || options.is_on(OptionId::Debug),
          .shows_hints = is_for_people,
          .terminal = human_terminal(command_line, options),
          .fits_columns = is_for_people && !command_line.output_file && ::isatty(STDOUT_FILENO) == 1,
          .line_width = describe_terminal(STDOUT_FILENO).width,
          .pictures = pictures.settings(targets.pids()),
          .is_served = command_line.is_served,
          .handover = handover(command_line),
          .target_tgid = static_cast<uint32_t>(targets.first_pid()),
          .progress = &progress};
}

Result<SessionResult> run_session(Session& session, const CommandLine& command_line, const ProgramPlan& plan,
                                  Targets& targets, Progress& progress, RunPictures& pictures, FdStream& out) {
  if (plan.options.is_on(OptionId::Destructive)) {
    if (!plan.options.is_on(OptionId::Quiet))
      print_message("{}: allowing destructive actions\n", command_line.program_name);
  } else {
    out.keep_earlier_content();
  }
  auto symbols = make_live_symbolizer(symbolizer_settings(command_line, plan));
  for (uint32_t pid : targets.pids()) symbols->remember_process(pid);
  FdStream messages(STDERR_FILENO);
  FragmentStream fragments(out, command_line.program_name);
  OutputStream& shown = command_line.shows_fragments ? static_cast<OutputStream&>(fragments) : out;
  auto result = session.run(targets, *symbols, shown, messages);
  progress.clear();
  Result<> drawn = pictures.write();
  if (result && !drawn) return fail(std::move(drawn).error());
  return result;
}

}  // namespace dscope
