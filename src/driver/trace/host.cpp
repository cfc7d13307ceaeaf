#include "driver/trace/host.h"

#include "arch/architecture.h"
#include "codegen/core/demangle.h"
#include "contract/follow.h"

namespace dscope {

namespace {

OnExec reaction_to_exec(const OptionValues& options) {
  if (options.is_on(OptionId::Zdefs)) return OnExec::FollowAll;
  return may_gain_probes(options) ? OnExec::Follow : OnExec::Stay;
}

}  // namespace

std::optional<ModuleWatch> watch_modules(const CommandLine& command_line, const OptionValues& options) {
  std::optional<ModuleWatch> watch;
  if (command_line.mode != RunMode::List && options.is_on(OptionId::Zdefs)) watch.emplace();
  return watch;
}

std::unique_ptr<LiveHost> make_host(const CommandLine& command_line, const OptionValues& options,
                                    const Targets& targets) {
  bool is_listing = command_line.mode == RunMode::List;
  return make_live_host({.read_code = native_architecture().read_code,
                         .demangle = demangle,
                         .demangle_with_parameters = demangle_with_parameters,
                         .uses_uretprobes = options.is_on(OptionId::Uretprobes),
                         .rechecks_processes = may_gain_probes(options),
                         .targets = targets.pids()},
                        is_listing ? ProcessRows::Each : ProcessRows::OneForAll,
                        is_listing ? OnExec::Stay : reaction_to_exec(options));
}

}  // namespace dscope
