// Return probes of functions of processes have a site at each instruction that returns. The first site may be a
// uretprobe that stands for all others: cheaper, for clauses that cannot tell the difference (docs/decisions/0056).
#pragma once

#include "contract/probe.h"

namespace dscope {

// HookUprobe::detail of such a site. Clauses never read it.
inline constexpr int32_t cheap_return_detail = -2;

// Null if the probe has no such site.
inline const ProbeSite* cheap_return(const Probe& probe) {
  const auto* hook = probe.sites.empty() ? nullptr : std::get_if<HookUprobe>(&probe.sites.front().hook);
  bool is_cheap = hook != nullptr && hook->position == UprobePosition::Returned && hook->detail == cheap_return_detail;
  return is_cheap ? &probe.sites.front() : nullptr;
}

}  // namespace dscope
