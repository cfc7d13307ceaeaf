#include "codegen/lower/memory/keys.h"

#include <algorithm>
#include <vector>

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
  std::vector<uint32_t> filled_bytes((size + 7) / 8);  // by word
  for (const Field& field : fields) {
    uint32_t end = std::min(field.offset + filled(field), size);
    for (uint32_t at = field.offset; at < end;) {
      uint32_t next = std::min(end, (at / 8 + 1) * 8);
      filled_bytes[at / 8] += next - at;
      at = next;
    }
  }
  for (uint32_t word = 0; word < filled_bytes.size(); ++word)
    if (filled_bytes[word] < 8) b_.store(b_.at(key, word * 8), b_.number(0), 8);
}

}  // namespace dscope
