// Option follow: what the traced processes do that tracing goes along with. Its words are joined by a comma:
// "fork,exec".
#pragma once

#include "catalog/option_values.h"
#include "contract/host.h"

namespace dscope {

// Probes of a process are those of its children too.
inline bool follows_forks(const OptionValues& options) {
  return options.text(OptionId::Follow).find("fork") != std::string::npos;
}

// Descriptions of a process's probes are looked up again when it executes another program.
inline bool follows_execs(const OptionValues& options) {
  return options.text(OptionId::Follow).find("exec") != std::string::npos;
}

// Descriptions may match nothing now, and something of what targets execute or load later.
inline bool may_gain_probes(const OptionValues& options) {
  return follows_execs(options) || options.is_on(OptionId::Zdefs) || options.is_on(OptionId::Rtldstop);
}

// Whether the probe hangs nowhere: it stands for those that a target may have later.
inline bool is_awaited(const Probe& probe) {
  const auto* uprobe = std::get_if<HookUprobe>(probe.sites.empty() ? &probe.hook : &probe.sites.front().hook);
  return probe.derivations.empty() && uprobe != nullptr && uprobe->path.empty();
}

// Such a probe that stands for those of kernel modules.
inline bool is_awaited_of_kernel(const Probe& probe) {
  const auto* uprobe = std::get_if<HookUprobe>(&probe.hook);
  return is_awaited(probe) && probe.sites.empty() && uprobe->pid == 0;
}

}  // namespace dscope
