// The setup of a run before it compiles, as the options require: target processes, the watch for kernel modules, and
// the Host.
#pragma once

#include <memory>
#include <optional>

#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"
#include "runtime/providers/live_host.h"
#include "runtime/session/module_watch.h"
#include "runtime/targets/targets.h"

namespace dscope {

// Sets the limits of reading one file of another user, and prints on stderr which files exceed them.
void limit_foreign_files(const CommandLine& command_line, const OptionValues& options);

// Starts the processes of -c, stopped before main(), and opens those of -p.
Result<std::unique_ptr<Targets>> create_targets(const CommandLine& command_line, const OptionValues& options);

// Watches for modules that the kernel loads from now on; nullopt if the options exclude their probes. Called before
// dscope matches descriptions, so that it misses no module in between.
std::optional<ModuleWatch> watch_modules(const CommandLine& command_line, const OptionValues& options);

std::unique_ptr<LiveHost> make_host(const CommandLine& command_line, const OptionValues& options,
                                    const Targets& targets);

}  // namespace dscope
