// The compact form of print() (option printform): an object on one line where it fits, else a line per member.
#pragma once

#include <string>

#include "runtime/actions/printed_object.h"

namespace dscope {

// `type`: an index into the plan's printed types. `column`: where the text begins in its line of `width` columns; lines
// after the first begin at column 0. The text has no newline at its end.
std::string compact_text(const PrintedObject& object, const ValuePrinter& values, int32_t type, size_t column,
                         size_t width);

}  // namespace dscope
