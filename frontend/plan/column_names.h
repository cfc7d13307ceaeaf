// The names of the columns of CSV and of the keys in pictures: the D text of variables, members and elements, the names
// of called functions.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/option_values.h"
#include "frontend/syntax/ast.h"

namespace dscope {

struct DataLayout;

// Whether the output shows these names: CSV, JSON, pictures and metrics do.
bool names_values(const OptionValues& options);
// The names of the values that an action records, in order: "" for string constants, "value" for other expressions
// without a name.
std::vector<std::string> column_names(const Call& call, Action action);
// Sets AggregationPlan::source_hash.
void hash_sources(DataLayout& data);
// Names the keys of each aggregation after the expressions of its first use; "" for expressions without a name.
void name_keys(DataLayout& data);

}  // namespace dscope
