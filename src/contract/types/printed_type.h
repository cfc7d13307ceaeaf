// The types that print() shows, and the names of enumerators, as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/types/type.h"

namespace dscope {

enum class PrintedKind : uint8_t { Object /* struct or union */, Array, Integer, Enum, Pointer, String, Nothing };
struct PrintedMember {
  std::string name;  // empty: unnamed
  int32_t type = 0;  // index into ProgramPlan::printed_types, as everywhere here
  uint64_t bit_offset = 0;
  uint32_t bit_size = 0;  // 0: not a bit-field
};
struct PrintedType {
  PrintedKind kind{};
  std::string name;   // as C spells it; unnamed structs and unions: "struct", "union"
  uint64_t size = 0;  // bytes
  bool is_signed = false;
  bool is_char = false;  // spelled `char`: prints as a character
  int32_t element = 0;   // arrays
  uint64_t count = 0;
  std::vector<PrintedMember> members;
  std::vector<TypeEnumerator> enumerators;
  bool shows_zeros = false;  // print() also shows members that are 0
  // The enumerators are bits: prints O_WRONLY|O_CREAT. An enumerator of value 0 is printed only if no earlier one was.
  bool is_flag_set = false;
};

// Returns the name of the enumerator with this value, owned by `type`; null if there is none.
const std::string* enumerator(const PrintedType& type, int64_t value);
// The name of the value, the names of its bits joined by | if the type is a flag set, else the number.
std::string enumerator_text(const PrintedType& type, int64_t value);

}  // namespace dscope
