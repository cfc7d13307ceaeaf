// Option follow: the actions of traced processes that tracing follows. Words separated by commas: "fork,exec".
#pragma once

#include "catalog/option_values.h"
#include "contract/probe.h"

namespace dscope {

// Probes of a process fire in its children too.
inline bool follows_forks(const OptionValues& options) {
  return options.text(OptionId::Follow).find("fork") != std::string::npos;
}

// Descriptions of a process's probes are matched again when it executes another program.
inline bool follows_execs(const OptionValues& options) {
  return options.text(OptionId::Follow).find("exec") != std::string::npos;
}

// Descriptions that match nothing now may match what targets execute or load later.
inline bool may_gain_probes(const OptionValues& options) {
  return follows_execs(options) || options.is_on(OptionId::Zdefs) || options.is_on(OptionId::Rtldstop);
}

// Whether the probe is a placeholder without a hook, for probes that a target may gain later.
inline bool is_awaited(const Probe& probe) {
  const auto* uprobe = std::get_if<HookUprobe>(probe.sites.empty() ? &probe.hook : &probe.sites.front().hook);
  return probe.derivations.empty() && uprobe != nullptr && uprobe->path.empty();
}

// Whether the probe is a placeholder for probes of kernel modules that are loaded later.
inline bool is_awaited_kernel_probe(const Probe& probe) {
  const auto* uprobe = std::get_if<HookUprobe>(&probe.hook);
  return is_awaited(probe) && probe.sites.empty() && uprobe->pid == 0;
}

}  // namespace dscope
