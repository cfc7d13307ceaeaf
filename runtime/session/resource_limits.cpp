#include "runtime/session/resource_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

namespace dscope {

// One descriptor per map and program and one per attachment for its link; attachments to perf events need a link and an
// event per CPU.
void raise_descriptor_limit(const ProgramPlan& plan) {
  uint64_t needed = 128 + plan.maps.size();
  auto cpus = static_cast<uint64_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_CONF)));
  for (const MapPlan& map : plan.maps) needed += map.rings;
  for (const BpfProgramPlan& program : plan.programs)
    needed += 1 + program.attachments.size() * (program.context == BpfContext::PerfEvent ? 2 * cpus : 2);
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= needed) return;
  limit.rlim_cur = std::min<rlim_t>(needed, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void set_locked_memory_limit(const OptionValues& options) {
  int64_t lockmem = options.number(OptionId::Lockmem);
  rlimit before{};
  if (lockmem < 0 || ::getrlimit(RLIMIT_MEMLOCK, &before) < 0) return;
  bool is_unlimited = lockmem == std::numeric_limits<int64_t>::max();
  rlim_t bytes = is_unlimited ? RLIM_INFINITY : static_cast<rlim_t>(lockmem);
  rlimit limit{.rlim_cur = bytes, .rlim_max = std::max(bytes, before.rlim_max)};
  if (::setrlimit(RLIMIT_MEMLOCK, &limit) == 0) return;
  before.rlim_cur = before.rlim_max;
  ::setrlimit(RLIMIT_MEMLOCK, &before);
}

}  // namespace dscope
