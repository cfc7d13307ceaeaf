// PrintedObject: the bytes of an object that print() recorded, decoded by the types of the plan. The text form and the
// JSON form of print() both read it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/actions/actions.h"

namespace dscope {

class PrintedObject {
 public:
  // Only the first `shown` of `bytes` are printed (option printsize). `types` and the memory of `bytes` must outlive
  // the object.
  PrintedObject(const std::vector<PrintedType>& types, std::span<const std::byte> bytes, uint64_t shown);

  const PrintedType& type(int32_t index) const;
  std::span<const std::byte> bytes() const { return bytes_; }
  // True if a member that starts at this byte offset is printed.
  bool is_shown(uint64_t offset) const { return offset < shown_; }
  bool is_zero(uint64_t offset, uint64_t size) const;
  // The number at the byte offset; its type has at most 8 bytes. 0 if it lies outside of the bytes.
  int64_t number(const PrintedType& type, uint64_t offset) const;
  // Whether the object of `type` at byte `offset` has the member. In types with enumerators, the first member decides:
  // it selects one of a Rust enum's variants, by the enumerator of the variant's name or else the one without
  // enumerator; if the type has a count, it is a number of elements, and members exist whose enumerators are below.
  bool has_member(const PrintedType& type, size_t index, uint64_t offset) const;
  // The value of a bit-field member of the struct that starts at byte `offset`.
  int64_t bits(const PrintedMember& member, uint64_t offset) const;

 private:
  const std::vector<PrintedType>& types_;
  std::span<const std::byte> bytes_;
  uint64_t shown_;
};

// Nested objects are printed down to this depth.
inline constexpr size_t max_member_depth = 10;

struct PrintedFields {
  const Field* pointer;  // null: the object was not reached through a pointer
  const Field* value;    // null: a damaged record
};
PrintedFields printed_fields(const RecordedAction& call);
// The object that print() prints, cut to option printsize. `value` is a field of any kind but ProbeName.
PrintedObject printed_object(const RecordedAction& call, const ActionServices& services, const Field& value);

}  // namespace dscope
