// Reads the memory of the traced process in the model.
#include <fmt/format.h>

#include "model.h"

namespace dscope::oracle {

// The offset in the user memory that a UserPointer or UserText refers to, with `size` bytes after it.
uint32_t Model::user_offset(const Expr& expr, int64_t size) {
  int64_t by = number(*expr.parts[0]);
  if (expr.number == null_pointer) throw Fault{fmt::format("invalid address ({:#x})", by)};
  int64_t offset = expr.number + by;
  if (offset < 0 || size < 0 || offset + size > user_memory_size) throw Undefined{};
  return static_cast<uint32_t>(offset);
}

Value Model::user_pointer(const Expr& expr) {
  bool is_direct = expr.transfer == Transfer::Direct;
  // A null pointer faults when it is dereferenced.
  if (is_direct && expr.number == null_pointer) {
    if (number(*expr.parts[0]) != 0) throw Undefined{};
    return {};
  }
  uint32_t offset = user_offset(expr, is_direct ? 0 : number(*expr.parts[1]));
  if (is_direct) return {.number = pointer_to({.object = &user_memory_, .offset = offset})};
  auto from = user_memory_.bytes.begin() + offset;
  scratch_.push_back(std::make_unique<Object>(Object{{from, from + number(*expr.parts[1])}}));
  return {.number = scratch_pointer(scratch_.size() - 1)};
}

Value Model::user_text(const Expr& expr) {
  uint32_t offset = user_offset(expr, 1);
  const auto* text = reinterpret_cast<const char*>(user_memory_.bytes.data()) + offset;
  if (offset >= user_text_size) throw Undefined{};
  std::string whole(text);
  if (expr.parts.size() == 1) return cut(whole);
  auto size = static_cast<size_t>(number(*expr.parts[1]));
  if (expr.transfer == Transfer::Direct) return cut(whole.substr(0, size - 1));
  // The text of a copy ends within the copy.
  if (whole.size() >= size || offset + size > user_memory_size) throw Undefined{};
  return cut(whole);
}

}  // namespace dscope::oracle
