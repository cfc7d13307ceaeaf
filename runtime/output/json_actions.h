// The JSON of actions: items of a row's "output" (docs/json-output.md). Actions have the same side effects in every
// format. Only their output differs.
#pragma once

#include "runtime/actions/actions.h"
#include "runtime/output/json_value.h"
#include "runtime/output/record_decoder.h"

namespace dscope {

// Runs the action and appends its items to the array `output`.
void append_action(Json& output, const PreparedAction& action, const std::byte* record, const ActionServices& services);

}  // namespace dscope
