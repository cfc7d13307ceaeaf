// The machine that a run compiles for, as the options require: the Host and the watch for kernel modules.
#pragma once

#include <memory>
#include <optional>

#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"
#include "runtime/providers/live_host.h"
#include "runtime/session/module_watch.h"
#include "runtime/targets/targets.h"

namespace dscope {

// Watches for modules that the kernel loads from now on; nullopt if the options exclude their probes. Called before
// dscope matches descriptions, so that it misses no module in between.
std::optional<ModuleWatch> watch_modules(const CommandLine& command_line, const OptionValues& options);

std::unique_ptr<LiveHost> make_host(const CommandLine& command_line, const OptionValues& options,
                                    const Targets& targets);

}  // namespace dscope
