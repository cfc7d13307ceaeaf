#include "support/deep_stack.h"

namespace dscope {

// Linux lets the stack of the main thread grow up to the current limit, and leaves 128 MB of address space free below
// it whatever the limit was when the process started.
DeepStack::DeepStack() {
  if (getrlimit(RLIMIT_STACK, &before_) != 0) return;
  is_deep_ = before_.rlim_cur >= target_bytes;
  if (is_deep_ || before_.rlim_max < target_bytes) return;
  rlimit raised{.rlim_cur = target_bytes, .rlim_max = before_.rlim_max};
  is_deep_ = is_raised_ = setrlimit(RLIMIT_STACK, &raised) == 0;
}

DeepStack::~DeepStack() {
  if (is_raised_) setrlimit(RLIMIT_STACK, &before_);
}

}  // namespace dscope
