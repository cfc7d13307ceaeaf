#include "driver/run/setup.h"

#include "codegen/core/demangle.h"
#include "codegen/core/instructions.h"
#include "contract/follow.h"
#include "runtime/elf/file_budget.h"
#include "support/print_message.h"

namespace dscope {

namespace {

OnExec reaction_to_exec(const OptionValues& options) {
  if (options.is_on(OptionId::Zdefs)) return OnExec::FollowAll;
  return may_gain_probes(options) ? OnExec::Follow : OnExec::Stay;
}

// True if the command is a path, which few macro arguments are.
bool has_path(const TargetRequest& command) {
  return !command.words.empty() && command.words.front().find('/') != std::string::npos;
}

}  // namespace

void limit_foreign_files(const CommandLine& command_line, const OptionValues& options) {
  FileLimits limits{.bytes = static_cast<uint64_t>(options.number(OptionId::Foreignbytes)),
                    .time = std::chrono::nanoseconds{options.number(OptionId::Foreigntime)}};
  FileBudget::configure(limits, [name = command_line.program_name](const std::string& message) {
    print_message("{}: {}\n", name, message);
  });
}

Result<std::unique_ptr<Targets>> create_targets(const CommandLine& command_line, const OptionValues& options) {
  auto targets = Targets::create(command_line.targets, {.evaltime = options.text(OptionId::Evaltime),
                                                        .set = options.list(OptionId::Setenv),
                                                        .unset = options.list(OptionId::Unsetenv),
                                                        .follows_execs = follows_execs(options),
                                                        .follows_forks = follows_forks(options)});
  if (!targets && command_line.has_command_words && !has_path(command_line.targets.back()))
    return fail(std::move(targets.error()).hint("-- runs a command: macro arguments of the program go before it"));
  return targets;
}

std::optional<ModuleWatch> watch_modules(const CommandLine& command_line, const OptionValues& options) {
  std::optional<ModuleWatch> watch;
  if (command_line.mode != RunMode::List && options.is_on(OptionId::Zdefs)) watch.emplace();
  return watch;
}

std::unique_ptr<LiveHost> make_host(const CommandLine& command_line, const OptionValues& options,
                                    const Targets& targets) {
  bool is_listing = command_line.mode == RunMode::List;
  return make_live_host({.read_code = read_code,
                         .demangle = demangle,
                         .demangle_with_parameters = demangle_with_parameters,
                         .uses_uretprobes = options.is_on(OptionId::Uretprobes),
                         .rechecks_processes = may_gain_probes(options),
                         .targets = targets.pids()},
                        is_listing ? ProcessRows::Each : ProcessRows::OneForAll,
                        is_listing ? OnExec::Stay : reaction_to_exec(options));
}

}  // namespace dscope
