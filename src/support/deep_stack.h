// A deep stack for recursion: the functions that walk syntax trees call themselves once per level.
#pragma once

#include <sys/resource.h>

#include <cstddef>

namespace dscope {

// During its lifetime, the stack of the main thread may grow to `target_bytes`, if the system permits it. Commands that
// start after its destruction get the original limit.
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
