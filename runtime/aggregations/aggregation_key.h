// Keys of aggregation elements: identity, order and text (consumer-and-actions.md 5.5, 5.6).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/format/value_printer.h"

namespace dscope {

// A byte string that is equal for keys that print equal, and whose byte order is the order of the keys. Comparison
// starts at key field `first_key` and wraps around. Strings and probe names of different recorded width compare by
// their text. With option aggmerge, so do symbols and stacks.
std::string key_identity(const AggregationPlan& plan, const std::byte* key, const ValuePrinter& values,
                         size_t first_key = 0);

// The widths of the key columns; empty: the default width of each type.
using KeyWidths = std::vector<size_t>;

// Appends the key columns of one element in the default form.
void append_keys(std::string& out, const AggregationPlan& plan, const std::byte* key, const ValuePrinter& values,
                 const KeyWidths& widths = {});
// Widens the columns to what this key needs. Returns false if the key has lines of its own, like a stack or a dump of
// bytes.
bool fit_widths(KeyWidths& widths, const AggregationPlan& plan, const std::byte* key, const ValuePrinter& values);
// The columns of all keys with their separators.
size_t key_columns(const KeyWidths& widths, const AggregationPlan& plan, const ValuePrinter& values);
// Narrows the widest text columns until the key columns have `available` columns with their separators, or no text
// column can be narrowed further. append_keys() shortens the texts of such columns in the middle.
void narrow_widths(KeyWidths& widths, const AggregationPlan& plan, const ValuePrinter& values, size_t available);

}  // namespace dscope
