// The fields of a tracepoint's record, from its `format` file in tracefs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contract/types/type_text.h"

namespace dscope {

struct EventField {
  DeclarationText declaration;
  uint32_t offset = 0;  // bytes from the start of the record
  uint32_t size = 0;    // bytes
  bool is_signed = false;
};

// `format`: the content of the file. Omits the common fields, which begin every record, and malformed lines.
std::vector<EventField> read_event_format(std::string_view format);

}  // namespace dscope
