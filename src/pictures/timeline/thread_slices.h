// ThreadSlices: the rows of one thread as slices that are properly nested, and instants.
#pragma once

#include <cstdint>
#include <vector>

#include "pictures/timeline/probe_pairs.h"

namespace dscope {

class ThreadSlices {
 public:
  static constexpr size_t max_open = 512;  // rows beyond it are instants

  // The role of a row. Before a slice begins or ends, `closed` slices within it or before it end at the same time:
  // their ends were not traced.
  struct Step {
    PairedProbe::Role role{};
    size_t closed = 0;
  };
  Step add(const PairedProbe& probe);

  size_t open_count() const { return open_.size(); }

 private:
  Step begin(const PairedProbe& probe);
  Step end(const PairedProbe& probe);

  struct Slice {
    uint32_t pair = 0;
    bool is_syscall = false;
  };
  std::vector<Slice> open_;  // the innermost last
};

}  // namespace dscope
