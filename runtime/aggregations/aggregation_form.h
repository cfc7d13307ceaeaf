// The forms in which whole aggregations are printed besides the default text: a table of bars (option agghist), CSV and
// folded stacks (option format). Each takes rows one by one; what a row is, AggregationSet decides.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/aggregations/aggregation_value.h"
#include "runtime/format/value_printer.h"

namespace dscope {

struct AggregationEntry;

// One key with the value of every aggregation that is printed with it; values of absent elements are zeroes.
struct AggregationLine {
  struct Value {
    const AggregationPlan* plan;
    std::vector<int64_t> words;
    uint64_t normal;                // not 0
    const AggregationEntry* entry;  // null: absent
  };
  const AggregationPlan* key_plan;  // whose keys `key` holds
  const std::byte* key;
  std::vector<Value> values;  // at least one
};

// CSV (RFC 4180, lines end with a newline only): a header line, then a line per row, or per bucket if an aggregation is
// a distribution. Columns: key1.. keyN, bucket if any is a distribution, one per aggregation under its name.
void append_csv_header(std::string& out, std::span<const AggregationPlan* const> plans);
void append_csv_row(std::string& out, const AggregationLine& row, const ValuePrinter& values);

// "key;outermost frame;...;innermost frame value", as flame graph tools read it: one line per row, of the first
// aggregation. The value of a distribution is its number of values; lines that would have the value 0 are left out.
void append_folded_row(std::string& out, const AggregationLine& row, const ValuePrinter& values);

// Option agghist: keyed count() and sum() as one table of bars. `total`: sum of the magnitudes of all rows.
bool has_bar_form(const AggregationPlan& plan);
void append_bar_header(std::string& out, const AggregationPlan& plan);
void append_bar_row(std::string& out, const AggregationLine& row, long double total, const ValuePrinter& values);

// A key as one piece of text: numbers in decimal, strings as people or programs may see them, stacks as frames joined
// by `;` from the outermost in, opaque bytes in hex.
std::string key_text(const Field& field, const std::byte* key, const ValuePrinter& values);

}  // namespace dscope
