// The `format` file of a tracepoint: its record's fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contract/type_text.h"

namespace dscope {

struct EventField {
  DeclarationText declaration;
  uint32_t offset = 0;
  uint32_t size = 0;
  bool is_signed = false;
};

// Without the common fields that begin every record. Lines that cannot be read are left out.
std::vector<EventField> read_event_format(std::string_view format);

}  // namespace dscope
