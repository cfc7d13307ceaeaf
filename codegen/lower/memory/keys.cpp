#include "codegen/lower/memory/keys.h"

#include <algorithm>
#include <vector>

#include "codegen/lower/actions/fields.h"
#include "codegen/lower/programs/scratch_slot.h"

namespace dscope {

namespace {

constexpr uint32_t stack_key_limit = 64;  // keys up to this size are built on the stack

constexpr size_t max_fields = 64;  // is_alone_in_word() searches all fields for each field

bool is_alone_in_word(const std::vector<Field>& fields, const Field& field) {
  if (fields.size() > max_fields) return false;
  auto is_in_word = [&](const Field& other) { return other.offset / 8 == field.offset / 8; };
  return field.kind == FieldKind::Integer && field.size < 8 && field.offset % 8 == 0 &&
         std::ranges::count_if(fields, is_in_word) == 1;
}

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
  for (size_t i = 0; i < fields.size(); ++i) write(fields, fields[i], key, *values[i]);
}

// An integer that is alone in its word is written as a whole word. Reading the word after a store of 8 zeros and one of
// 4 bytes would stall the CPU until both stores are done.
void Keys::write(const std::vector<Field>& fields, const Field& field, V key, const Expr& value) {
  if (is_alone_in_word(fields, field)) return fields_.write_word(field, key, value);
  fields_.write(field, key, value);
}

void Keys::fill_gaps(const std::vector<Field>& fields, uint32_t size, V key) {
  // Zeroes the words that the fields do not fill completely. Strings fill their padded room, objects only their size.
  auto filled = [](const Field& field) { return field.kind == FieldKind::Bytes ? field.size : field_room(field); };
  std::vector<uint32_t> filled_bytes((size + 7) / 8);  // by word
  for (const Field& field : fields) {
    uint32_t room = is_alone_in_word(fields, field) ? 8 : filled(field);
    uint32_t end = std::min(field.offset + room, size);
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
