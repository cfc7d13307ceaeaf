// Which served runs need no privileges once their programs are attached, and how a process drops them.
#pragma once

#include "runtime/session/session.h"
#include "runtime/targets/targets.h"

namespace dscope {

// Whether the run may attach, look into processes of other users or start programs later on.
bool needs_privileges_later(const ProgramPlan& plan, const SessionOptions& options, const Targets& targets);
// Whether keys or rows name kernel functions. Reading their names needs CAP_SYSLOG.
bool names_kernel_addresses(const ProgramPlan& plan);
// Drops all capabilities of this process for good, also for programs that it starts. False if the kernel refuses.
bool drop_capabilities();

}  // namespace dscope
