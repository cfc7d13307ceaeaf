// Stability attributes of providers (providers.md 1.2). A separate header so that the host of the tests, which has no
// providers, returns the same attributes.
#pragma once

#include <algorithm>
#include <string_view>

#include "contract/probe.h"

namespace dscope {
namespace stability {

constexpr Attributes stable{Stability::Stable, Stability::Stable, DependencyClass::Common};
constexpr Attributes evolving{Stability::Evolving, Stability::Evolving, DependencyClass::Common};
constexpr Attributes evolving_isa{Stability::Evolving, Stability::Evolving, DependencyClass::Isa};
constexpr Attributes unstable{Stability::Unstable, Stability::Unstable, DependencyClass::Common};
constexpr Attributes unstable_unknown{Stability::Unstable, Stability::Unstable, DependencyClass::Unknown};
constexpr Attributes hidden{Stability::Private, Stability::Private, DependencyClass::Unknown};
constexpr Attributes hidden_isa{Stability::Private, Stability::Private, DependencyClass::Isa};

struct Row {
  std::string_view provider;
  ProviderAttributes attributes;  // provider, module, function, name, args
};

constexpr ProviderAttributes interval{evolving, unstable_unknown, hidden, evolving, evolving};
constexpr ProviderAttributes function{evolving, hidden, hidden_isa, evolving, hidden_isa};
constexpr ProviderAttributes tracepoint{evolving_isa, hidden, hidden, hidden_isa, hidden_isa};
constexpr ProviderAttributes process{evolving_isa, hidden, hidden, evolving_isa, hidden};
constexpr ProviderAttributes translated{evolving_isa, hidden, hidden, evolving_isa, evolving_isa};
constexpr ProviderAttributes unknown{unstable, unstable, unstable, unstable, unstable};

constexpr Row rows[] = {
    {"dtrace", {stable, hidden, hidden, stable, stable}},
    {"profile", interval},
    {"cpc", interval},
    {"perf", interval},
    {"syscall", function},
    {"fbt", function},
    {"rawfbt", function},
    {"kinst", function},
    {"sdt", tracepoint},
    {"rawtp", tracepoint},
    {"iter", tracepoint},
    {"lsm", tracepoint},
    {"watch", tracepoint},
    {"proc", translated},
    {"sched", translated},
    {"io", translated},
    {"ip", translated},
    {"tcp", translated},
    {"udp", translated},
    {"uprobe", process},
    {"lockstat", translated},
    {"mib", translated},
    {"vminfo", translated},
    {"sysinfo", translated},
    {"fsinfo", translated},
    {"vfs", translated},
};

}  // namespace stability

// Names of per-process providers end in a process id: pid123, plockstat123, USDT providers.
inline ProviderAttributes attributes_of_provider(std::string_view provider) {
  auto row = std::find_if(std::begin(stability::rows), std::end(stability::rows),
                          [&](const stability::Row& candidate) { return candidate.provider == provider; });
  if (row != std::end(stability::rows)) return row->attributes;
  bool is_of_process = !provider.empty() && provider.back() >= '0' && provider.back() <= '9';
  return is_of_process ? stability::process : stability::unknown;
}

}  // namespace dscope
