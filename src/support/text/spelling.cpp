#include "support/text/spelling.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace dscope {

bool differs_only_in_case(std::string_view a, std::string_view b) {
  auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::ranges::equal(a, b, {}, lower, lower) && a != b;
}

// Keeps three rows of the table of distances between prefixes: a transposition needs the row before the previous one.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), here(b.size() + 1);
  std::iota(above.begin(), above.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    here[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      here[j] = std::min({above[j] + 1, here[j - 1] + 1, replaced});
      bool is_transposed = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_transposed) here[j] = std::min(here[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, here);
  }
  return above[b.size()];
}

}  // namespace dscope
