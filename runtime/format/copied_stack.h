// Copies of user stacks: the registers of a thread and the top of its stack (record_format.h), which the consumer
// unwinds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dscope {

class Symbolizer;

struct CopiedStack {
  uint32_t process = 0;
  std::span<const std::byte> bytes;  // registers, size, stack; its size is that of a copy, even of a short stack
  // The frames that the kernel has found; 0: none. A probe at a function's start may sit some bytes into it, but the
  // first frame is exact.
  uint64_t first = 0, second = 0;
  uint32_t max_frames = 0;
};

// The instruction pointer and the return addresses. Empty if the stack cannot be unwound: then frame pointers count.
std::vector<uint64_t> unwind_copy(Symbolizer& symbols, const CopiedStack& copy);

// The stacks that programs could not unwind by tables, by their numbers (contract/stacks/unwind_format.h).
class NumberedStacks {
 public:
  virtual ~NumberedStacks() = default;
  // Empty if the stack is not known, or was forgotten.
  virtual std::span<const uint64_t> find(uint32_t number) = 0;
};

}  // namespace dscope
