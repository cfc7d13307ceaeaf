#include "codegen/lower/values/string_memory.h"

#include <algorithm>

#include "codegen/lower/memory/user_memory.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/programs/scratch_slot.h"

namespace dscope {

StringValue StringMemory::literal(std::string_view bytes) {
  std::string text(bytes.substr(0, bytes.find('\0')));
  if (text.size() > meaning_.types->strsize()) text.resize(meaning_.types->strsize());
  uint32_t capacity = round_up8(static_cast<uint32_t>(text.size()) + 1);
  V& data = literals_[text];
  if (data == nullptr) data = b_.constant_bytes(text, capacity, "text");
  return {data, capacity, nullptr};
}

// Copies the string at `place` to a temporary: at most `bytes` bytes including the terminator.
StringValue StringMemory::copy_from(const Place& place, uint32_t bytes, const Expr& at) {
  uint32_t capacity = round_up8(bytes);
  V data = scratch_.temporary(capacity);
  read(data, bytes, place, at);
  return {data, capacity, nullptr};
}

// Reads the string at `place` into `bytes` bytes at `to`, and zeroes the rest up to the next multiple of 8. Returns the
// string's length including its terminator.
V StringMemory::read(V to, uint32_t bytes, const Place& place, const Expr& at) {
  uint32_t room = round_up8(bytes);
  if (room <= inline_copy_limit) {
    b_.zero(to, room);
  } else {
    b_.call_support("ds_clear", b_.void_type, {to, b_.number(room)});
  }
  V address = b_.to_number(place.address);
  V result = place.space == Space::User ? user_memory_.read_text(to, bytes, b_.number(bytes), address)
                                        : b_.call(Helper::ProbeReadKernelStr, {to, b_.number32(bytes), address});
  // A read of a variable cannot fail.
  if (place.space != Space::Storage)
    faults_.read_fault_if(b_.ir.CreateICmpSLT(result, b_.number(0)), place.space, address, at);
  return result;
}

V StringMemory::sizes(uint32_t capacity) const {
  return b_.number(pack_sizes(capacity, std::min(capacity - 1, meaning_.types->strsize()), 0, 0));
}

// Stores the string in `size` bytes at `to`, truncated or zero-padded. `to` is 8-aligned and has room for the next
// multiple of 8.
void StringMemory::store(V to, uint32_t size, const StringValue& value) {
  uint32_t room = round_up8(size);
  uint32_t copied = std::min(room, value.capacity);
  if (room > inline_copy_limit) {
    b_.call_support("ds_strcpy", b_.void_type,
                    {to, value.data,
                     b_.number(pack_sizes(room, std::min(size - 1, meaning_.types->strsize()), value.capacity, 0))});
    return;
  }
  b_.copy(to, value.data, copied);
  if (room > copied) b_.zero(b_.at(to, copied), room - copied);
  // Truncates a longer source: the field's last byte and its padding become zero.
  if (value.capacity > room) truncate(to, size);
}

void StringMemory::truncate(V to, uint32_t size) {
  V word = b_.at(to, round_up8(size) - 8);
  uint64_t kept = (uint64_t{1} << ((size - 1) % 8 * 8)) - 1;
  b_.store(word, b_.ir.CreateAnd(b_.load(word, 8, false), b_.number(kept)), 8);
}

// Stores the string in a struct member: exactly `size` bytes, at any alignment.
void StringMemory::store_unaligned(V to, uint32_t size, const StringValue& value) {
  V text = scratch_.temporary(size);
  store(text, size, value);
  truncate(text, size);
  b_.call(Helper::ProbeReadKernel, {to, b_.number32(size), b_.to_number(text)});
}

}  // namespace dscope
