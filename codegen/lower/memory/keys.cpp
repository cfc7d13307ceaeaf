#include "codegen/lower/memory/keys.h"

#include <algorithm>

#include "codegen/lower/actions/fields.h"
#include "codegen/lower/programs/scratch_slot.h"

namespace dscope {

namespace {

constexpr uint32_t stack_key_limit = 64;  // keys up to this size are built on the stack

}  // namespace

// Memory for a key, valid until the next key of the same nesting depth.
V Keys::area(uint32_t size) {
  auto& [slots, depth] = *areas_;
  if (!options_.stack_keys || size > stack_key_limit || depth >= stack_key_depth) {
    V key = scratch_.temporary(size);
    key->setName("key");
    return key;
  }
  if (slots[depth] == nullptr) slots[depth] = b_.slot_bytes(stack_key_limit, "key");
  return slots[depth];
}

// Writes every byte: the kernel compares keys byte by byte.
void Keys::build(const std::vector<Field>& fields, uint32_t size, V key, const std::vector<Expr*>& values) {
  fill_gaps(fields, size, key);
  for (size_t i = 0; i < fields.size(); ++i) fields_.write(fields[i], key, *values[i]);
}

void Keys::fill_gaps(const std::vector<Field>& fields, uint32_t size, V key) {
  // Zeroes the words that the fields do not fill completely. Strings fill their padded room, objects only their size.
  auto filled = [](const Field& field) { return field.kind == FieldKind::Bytes ? field.size : field_room(field); };
  for (uint32_t word = 0; word < size; word += 8) {
    uint32_t bytes = 0;
    for (const Field& field : fields) {
      uint32_t from = std::max(word, field.offset), to = std::min(word + 8, field.offset + filled(field));
      if (to > from) bytes += to - from;
    }
    if (bytes < 8) b_.store(b_.at(key, word), b_.number(0), 8);
  }
}

}  // namespace dscope
