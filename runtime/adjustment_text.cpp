#include "runtime/adjustment_text.h"

#include "support/format.h"

namespace dscope {

std::string lowered_text(std::string_view what, uint64_t bytes) {
  for (auto [shift, unit] : {std::pair{40, 't'}, {30, 'g'}, {20, 'm'}, {10, 'k'}}) {
    uint64_t size = uint64_t{1} << shift;
    if (bytes >= size && bytes % size == 0) return fmt::format("{} lowered to {}{}", what, bytes / size, unit);
  }
  return fmt::format("{} lowered to {} bytes", what, bytes);
}

std::string reduced_text(std::string_view what, uint64_t period_ns) {
  constexpr uint64_t second = 1'000'000'000;
  if (second % period_ns == 0) return fmt::format("{} reduced to {} hz", what, second / period_ns);
  if (period_ns % second == 0) return fmt::format("{} reduced to once every {} seconds", what, period_ns / second);
  return fmt::format("{} reduced to once every {} nanoseconds", what, period_ns);
}

}  // namespace dscope
