// Whether a function may call itself, directly or through others, by the calls in its machine code.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace dscope {

struct CalledCode {
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> starts;  // offsets of the instructions
};

class CallGraph {
 public:
  // `read` returns the code of the function that begins at an offset of the file; nothing if it is no known function,
  // such as a stub of the linker, or if it cannot be decoded.
  explicit CallGraph(std::function<std::optional<CalledCode>(uint64_t offset)> read) : read_(std::move(read)) {}

  // False if the function that begins at `offset` certainly does not. A call of another object, through a stub of the
  // linker, counts as one that does not return here. A call through a register or through memory may go anywhere.
  // Examines a bounded number of functions.
  bool may_recurse(uint64_t offset) const;

 private:
  std::function<std::optional<CalledCode>(uint64_t)> read_;
};

}  // namespace dscope
