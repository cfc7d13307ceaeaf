// Room for recursion: the trees of programs are walked by functions that call themselves, once for each level.
#pragma once

#include <sys/resource.h>

#include <cstddef>

namespace dscope {

// While it lives, the stack of the main thread may grow to `target_bytes`, as far as the system permits. Commands that
// are started later get the limit as it was.
class DeepStack {
 public:
  static constexpr size_t target_bytes = 100 << 20;

  DeepStack();
  ~DeepStack();
  DeepStack(const DeepStack&) = delete;
  DeepStack& operator=(const DeepStack&) = delete;

  bool is_deep() const { return is_deep_; }

 private:
  rlimit before_{};
  bool is_raised_ = false, is_deep_ = false;
};

}  // namespace dscope
