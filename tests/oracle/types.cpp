#include "types.h"

#include <algorithm>

#include "user_memory.h"

namespace dscope::oracle {

namespace {

Type integer_type(const char* name, uint32_t bits, bool is_unsigned) {
  Type type;
  type.kind = Kind::Integer;
  type.name = name;
  type.bits = bits;
  type.is_unsigned = is_unsigned;
  type.size = type.alignment = bits / 8;
  return type;
}

uint32_t rounded(uint32_t value, uint32_t to) { return (value + to - 1) / to * to; }

// As in GCC, a bit-field shares the current storage unit of its type if it fits.
void place_bitfield(Field& field, uint64_t& bits) {
  uint64_t unit = field.type->bits;
  if (bits / unit != (bits + field.bit_size - 1) / unit) bits = (bits + unit - 1) / unit * unit;
  field.offset = static_cast<uint32_t>(bits / unit * (unit / 8));
  field.bit_offset = static_cast<uint32_t>(bits % unit);
  bits += field.bit_size;
}

}  // namespace

Types::Types(uint32_t strsize) {
  integers_ = {integer_type("int", 32, false),         integer_type("char", 8, false),
               integer_type("int8_t", 8, false),       integer_type("uint8_t", 8, true),
               integer_type("short", 16, false),       integer_type("uint16_t", 16, true),
               integer_type("int32_t", 32, false),     integer_type("uint32_t", 32, true),
               integer_type("int64_t", 64, false),     integer_type("uint64_t", 64, true),
               integer_type("unsigned char", 8, true), integer_type("unsigned", 32, true),
               integer_type("long", 64, false),        integer_type("unsigned long", 64, true),
               integer_type("long long", 64, false),   integer_type("unsigned long long", 64, true),
               integer_type("signed char", 8, false)};
  Type text;
  text.kind = Kind::String;
  text.name = "string";
  text.size = strsize + 1;
  derived_.push_back(text);
  string_ = &derived_.back();
}

const Type& Types::integer(std::string_view name) const {
  return *std::find_if(integers_.begin(), integers_.end(), [&](const Type& type) { return type.name == name; });
}

const Type& Types::pointer_to(const Type& type) {
  for (const Type& known : derived_)
    if (known.kind == Kind::Pointer && known.element == &type) return known;
  Type pointer;
  pointer.kind = Kind::Pointer;
  pointer.element = &type;
  pointer.size = pointer.alignment = 8;
  return derived_.emplace_back(pointer);
}

const Type& Types::array_of(const Type& type, uint32_t count) {
  for (const Type& known : derived_)
    if (known.kind == Kind::Array && known.element == &type && known.count == count) return known;
  Type array;
  array.kind = Kind::Array;
  array.element = &type;
  array.count = count;
  array.size = type.size * count;
  array.alignment = type.alignment;
  return derived_.emplace_back(array);
}

const Type& Types::add_enum(const std::string& name, const std::vector<int64_t>& values) {
  Type type = integer_type(("enum " + name).c_str(), 32, false);
  for (size_t i = 0; i < values.size(); ++i) {
    type.enumerators.emplace_back(name + "_" + std::to_string(i), values[i]);
    type.definition += (i == 0 ? "" : ", ") + type.enumerators[i].first + " = " + std::to_string(values[i]);
  }
  type.definition = type.name + " { " + type.definition + " };";
  return declared_.emplace_back(type);
}

const Type& Types::add_struct(const std::string& name, std::vector<Field> fields, bool is_union) {
  Type type;
  type.kind = Kind::Struct;
  type.is_union = is_union;
  type.name = (is_union ? "union " : "struct ") + name;
  type.definition = type.name + " {";
  uint64_t bits = 0;
  for (Field& field : fields) {
    if (is_union) bits = 0;
    type.definition += " " + declare(*field.type, field.name);
    if (field.bit_size != 0) {
      type.definition += ":" + std::to_string(field.bit_size);
      place_bitfield(field, bits);
    } else {
      field.offset = rounded(static_cast<uint32_t>((bits + 7) / 8), field.type->alignment);
      bits = (uint64_t{field.offset} + field.type->size) * 8;
    }
    type.definition += ";";
    type.alignment = std::max(type.alignment, field.type->alignment);
    type.size = std::max(type.size, static_cast<uint32_t>((bits + 7) / 8));
  }
  type.definition += " };";
  type.size = rounded(type.size, type.alignment);
  type.fields = std::move(fields);
  return declared_.emplace_back(type);
}

int64_t narrow_bits(int64_t value, uint32_t bits, bool is_unsigned) {
  if (bits == 64) return value;
  uint64_t mask = (uint64_t{1} << bits) - 1;
  uint64_t low = static_cast<uint64_t>(value) & mask;
  if (!is_unsigned && (low >> (bits - 1)) != 0) low |= ~mask;
  return static_cast<int64_t>(low);
}

int64_t narrow(int64_t value, const Type& type) { return narrow_bits(value, type.bits, type.is_unsigned); }

const Type& promoted(const Type& left, const Type& right) { return right.rank() > left.rank() ? right : left; }

bool is_plain(const Type& type) {
  switch (type.kind) {
    case Kind::Integer: return true;
    case Kind::String:
    case Kind::Pointer: return false;
    case Kind::Array: return is_plain(*type.element);
    case Kind::Struct: break;
  }
  return type.size <= user_memory_size &&
         std::all_of(type.fields.begin(), type.fields.end(), [](const Field& field) { return is_plain(*field.type); });
}

std::string declare(const Type& type, const std::string& name) {
  if (type.kind == Kind::Pointer) return declare(*type.element, "*" + name);
  if (type.kind == Kind::Array) return declare(*type.element, name + "[" + std::to_string(type.count) + "]");
  return type.name + " " + name;
}

}  // namespace dscope::oracle
