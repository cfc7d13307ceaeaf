#include "runtime/session/adjustment_text.h"

#include <algorithm>
#include <utility>

#include "contract/buffers/aggregation_memory.h"
#include "support/format.h"

namespace dscope {

std::vector<std::string> lowered_size_texts(const OptionValues& options, const std::vector<CreatedMap>& maps) {
  std::vector<std::string> texts;
  for (auto [option, name] : {std::pair{OptionId::Bufsize, "buffer size"},
                              {OptionId::Aggsize, "aggregation size"},
                              {OptionId::Dynvarsize, "dynamic variable size"}}) {
    auto wanted = static_cast<uint64_t>(std::max<int64_t>(options.number(option), 0));
    uint64_t size = wanted;
    for (const CreatedMap& map : maps) {
      if (map.plan->size_option != option || map.entries >= map.plan->requested_entries) continue;
      // The product may exceed 64 bits; the rounding of long double is invisible in the text.
      auto product = static_cast<long double>(wanted) * static_cast<long double>(map.entries);
      size = std::min(size, static_cast<uint64_t>(product / static_cast<long double>(map.plan->requested_entries)));
    }
    if (size < wanted) texts.push_back(lowered_size_text(name, size));
  }
  return texts;
}

std::string aggregation_memory_text(uint64_t budget_bytes, const std::vector<CreatedMap>& maps) {
  constexpr uint64_t mib = 1 << 20;
  uint64_t elements = 0, bytes = 0;
  for (const CreatedMap& map : maps) {
    MapPlan created = *map.plan;
    created.max_entries = static_cast<uint32_t>(map.entries);
    elements += map.entries;
    bytes += hash_map_bytes(created);
  }
  return fmt::format("aggregations have {} elements in {} MiB; the budget is {} MiB (-x aggmemory)", elements,
                     (bytes + mib - 1) / mib, budget_bytes / mib);
}

std::string lowered_size_text(std::string_view what, uint64_t bytes) {
  for (auto [shift, unit] : {std::pair{40, 't'}, {30, 'g'}, {20, 'm'}, {10, 'k'}}) {
    uint64_t size = uint64_t{1} << shift;
    if (bytes >= size && bytes % size == 0) return fmt::format("{} lowered to {}{}", what, bytes / size, unit);
  }
  return fmt::format("{} lowered to {} bytes", what, bytes);
}

std::string reduced_rate_text(std::string_view what, uint64_t period_ns) {
  constexpr uint64_t second = 1'000'000'000;
  if (second % period_ns == 0) return fmt::format("{} reduced to {} hz", what, second / period_ns);
  if (period_ns % second == 0) return fmt::format("{} reduced to once every {} seconds", what, period_ns / second);
  return fmt::format("{} reduced to once every {} nanoseconds", what, period_ns);
}

}  // namespace dscope
