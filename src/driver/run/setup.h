// What a run sets up before it compiles, as the options ask for it: target processes, the watch for kernel modules, the
// host that answers the compiler's questions.
#pragma once

#include <memory>
#include <optional>

#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"
#include "runtime/providers/live_host.h"
#include "runtime/session/module_watch.h"
#include "runtime/targets/targets.h"

namespace dscope {

// The processes of -c, stopped before main(), and those of -p.
Result<std::unique_ptr<Targets>> create_targets(const CommandLine& command_line, const OptionValues& options);

// Watches for modules that the kernel loads from now on; nullopt if the options do not ask for their probes. Called
// before descriptions are matched, so that no module is missed in between.
std::optional<ModuleWatch> watch_modules(const CommandLine& command_line, const OptionValues& options);

std::unique_ptr<LiveHost> make_host(const CommandLine& command_line, const OptionValues& options,
                                    const Targets& targets);

}  // namespace dscope
