// How many ring buffers a program has. CPUs that share a ring wait for its spinlock, so that large machines need
// several (docs/reference/scale.md 2).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "catalog/option_values.h"
#include "contract/machine.h"

namespace dscope {

inline constexpr uint32_t max_rings = 128;
// A ring that so many CPUs use flat out makes each of them wait for about 1.2 us.
inline constexpr uint32_t default_cpus_per_ring = 8;

// Both numbers are powers of two.
struct RingGroups {
  uint32_t rings = 1;
  uint32_t cpus_per_ring = 1;  // CPUs 0 to cpus_per_ring - 1 use the first ring, and so on
};

// nullopt: one plain ring serves all CPUs. With option ringcpus, even a single group of CPUs is a group.
inline std::optional<RingGroups> ring_groups(const OptionValues& options, const MachineFacts& facts) {
  int64_t wanted = options.number(OptionId::Ringcpus);
  bool is_set = options.is_set(OptionId::Ringcpus);
  if (is_set ? wanted == 0 : facts.online_cpu_count <= default_cpus_per_ring) return std::nullopt;
  uint32_t cpus = std::bit_ceil(std::max(1U, facts.online_cpu_count));
  uint32_t per_ring = is_set ? std::bit_ceil(static_cast<uint32_t>(wanted)) : default_cpus_per_ring;
  per_ring = std::max(per_ring, cpus / max_rings);
  return RingGroups{.rings = std::max(1U, cpus / per_ring), .cpus_per_ring = per_ring};
}

// Number of the ring of a CPU. CPUs beyond those that are online now share the rings of others.
inline uint32_t ring_of_cpu(const RingGroups& groups, uint32_t cpu) {
  return cpu / groups.cpus_per_ring & (groups.rings - 1);
}

}  // namespace dscope
