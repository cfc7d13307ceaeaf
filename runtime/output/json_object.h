// The JSON of objects that print() recorded (docs/json-output.md).
#pragma once

#include "runtime/actions/printed_object.h"
#include "runtime/output/json_value.h"

namespace dscope {

// {"type": "struct point", "address": ..., "value": {...}} for a print() call; null for a damaged record.
Json printed_json(const RecordedAction& call, const ActionServices& services);

}  // namespace dscope
