// PrintedObject: the bytes of an object that print() recorded, read by the types of the plan. Used by the text and by
// the JSON of print().
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/actions/actions.h"

namespace dscope {

class PrintedObject {
 public:
  // Of `bytes`, the first `shown` are shown. All arguments outlive the object.
  PrintedObject(const std::vector<PrintedType>& types, std::span<const std::byte> bytes, uint64_t shown);

  const PrintedType& type(int32_t index) const;
  std::span<const std::byte> bytes() const { return bytes_; }
  // Whether what begins at this offset is shown.
  bool is_shown(uint64_t offset) const { return offset < shown_; }
  bool is_zero(uint64_t offset, uint64_t size) const;
  // A number of at most 8 bytes.
  int64_t number(const PrintedType& type, uint64_t offset) const;
  // The value of a bit-field of the object at `offset`.
  int64_t bits(const PrintedMember& member, uint64_t offset) const;

 private:
  const std::vector<PrintedType>& types_;
  std::span<const std::byte> bytes_;
  uint64_t shown_;
};

// Members of objects in objects in ... are followed so far.
inline constexpr size_t deepest_member = 10;

// The fields of a print().
struct PrintedFields {
  const Field* pointer;  // null: not an object behind a pointer
  const Field* value;    // null: a damaged record
};
PrintedFields printed_fields(const ActionCall& call);
// What print() shows of its value, by option printsize; the value is no probe name.
PrintedObject printed_object(const ActionCall& call, const ActionServices& services, const Field& value);

}  // namespace dscope
