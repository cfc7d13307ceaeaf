// The text of a row of --format=json.
#pragma once

#include <string>

#include "runtime/output/json_value.h"

namespace dscope {

// The lines that the actions of the row have printed, each ending with a newline; empty without items. `output`: the
// member of the row. Messages are exact; other values are printed one after the other, separated by blanks. The values
// behind a message are those of printf(), which the message contains.
std::string row_text(const Json& output);

}  // namespace dscope
