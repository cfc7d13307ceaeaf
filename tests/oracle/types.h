// The D types of generated programs, with sizes and offsets in the model's own memory. Strings in memory are a mark
// (see StringMark) and strsize bytes.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace dscope::oracle {

struct Type;

struct Field {
  std::string name;
  const Type* type = nullptr;
  uint32_t offset = 0;                    // bytes
  uint32_t bit_offset = 0, bit_size = 0;  // bit-fields: from `offset`
};

enum class Kind { Integer, String, Pointer, Array, Struct };

struct Type {
  Kind kind{};
  std::string name;  // as spelled in D; empty for arrays and pointers
  uint32_t bits = 0;
  bool is_unsigned = false;
  const Type* element = nullptr;  // element type of arrays, pointee of pointers
  uint32_t count = 0;
  std::vector<Field> fields;
  bool is_union = false;
  uint32_t size = 0, alignment = 1;
  std::string definition;  // "struct s { ... };", "enum e { ... };"
  std::vector<std::pair<std::string, int64_t>> enumerators;

  uint32_t rank() const { return bits + (is_unsigned ? 1 : 0); }
};

enum class StringMark : uint8_t { Unset, Null, Text };

class Types {
 public:
  explicit Types(uint32_t strsize);

  uint32_t strsize() const { return string_->size - 1; }
  const Type& integer(std::string_view name) const;
  const Type& integer_at(size_t i) const { return integers_[i % integers_.size()]; }
  const Type& string() const { return *string_; }
  const Type& pointer_to(const Type& type);
  const Type& array_of(const Type& type, uint32_t count);
  const Type& add_enum(const std::string& name, const std::vector<int64_t>& values);
  // Lays the fields out as C does. A field with bit_size != 0 is a bit-field.
  const Type& add_struct(const std::string& name, std::vector<Field> fields, bool is_union);

  const std::deque<Type>& declared() const { return declared_; }

 private:
  std::vector<Type> integers_;
  std::deque<Type> declared_, derived_;
  const Type* string_ = nullptr;
};

// `value` stored in an integer type: truncated to its bits, then sign- or zero-extended.
int64_t narrow(int64_t value, const Type& type);
int64_t narrow_bits(int64_t value, uint32_t bits, bool is_unsigned);
// The type of an operation on both: the type of higher rank, or the left type if the ranks are equal.
const Type& promoted(const Type& left, const Type& right);

// True for types that have the same layout in C and fit into the memory of the traced process.
bool is_plain(const Type& type);

// "int name[3]", "struct s *name".
std::string declare(const Type& type, const std::string& name);

}  // namespace dscope::oracle
