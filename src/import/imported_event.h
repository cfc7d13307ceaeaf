// Events of other tracers, before they become firings of D's probes: plain data that the readers of all file formats
// produce.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/capture_event.h"

namespace dscope {

// Bytes of a text that are kept, and CPUs that an import tells apart: files may claim any number.
constexpr uint32_t max_imported_text = 256, max_imported_cpus = 8192;

enum class ImportedKind : uint8_t {
  Number,
  Text,   // characters
  Bytes,  // other arrays
};

// A field of an event, from the description in the file.
struct ImportedField {
  std::string name;
  std::string type_text;  // in C: "unsigned int", "char *" for texts, "u8 *" for other arrays
  ImportedKind kind{};
  uint32_t size = 0;  // bytes of the number; longest text or array
  bool is_signed = false;
};

struct ImportedEventType {
  std::string group, name;  // "sched", "sched_switch"
  std::vector<ImportedField> fields;
};

// The value of a field. Texts and arrays that are longer than the field's size are cut.
struct ImportedValue {
  uint64_t number = 0;  // sign-extended if the field is signed
  std::string_view bytes;
};

// The circumstances of an event.
struct ImportedFiring {
  uint64_t time = 0;  // nanoseconds of the file's clock
  uint32_t cpu = 0;
  CapturedThread thread;
  int32_t error = 0;
  // Innermost frame first; empty: not recorded.
  std::span<const uint64_t> kernel_stack, user_stack;
};

}  // namespace dscope
