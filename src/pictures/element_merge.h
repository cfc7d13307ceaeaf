// Adds up the values of several elements of an aggregation by the rules of its function.
#pragma once

#include "pictures/run_update.h"

namespace dscope {

// Whether the value of several elements follows from theirs: not for percentile().
bool can_merge(AggregationFunction function);
// Merges `value` into `sum`, which may be the empty value. Needs PictureValue::parts for avg() and stddev(), whose
// `numbers` it leaves empty.
void merge_value(AggregationFunction function, PictureValue& sum, const PictureValue& value);

}  // namespace dscope
