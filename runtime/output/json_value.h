// The JSON of traced values (docs/json-output.md): exact integers, lossless text, stacks and symbols as objects,
// aggregations with their keys.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "runtime/aggregations/aggregation_form.h"
#include "runtime/aggregations/aggregation_set.h"
#include "runtime/format/value_printer.h"

namespace dscope {

// Keeps members in insertion order.
using Json = nlohmann::ordered_json;

// Encodes any bytes as UTF-8 without loss. Each byte that is not part of well-formed UTF-8 becomes the character U+EF00
// + byte. Characters in the range U+EF80 to U+EFFF are encoded byte by byte as well, so that decoding is unambiguous.
std::string json_text(std::string_view bytes);

// {"bytes": "hexadecimal digits"}
Json bytes_json(std::span<const std::byte> bytes);

// "vmlinux`vfs_read+0x10" as {"symbol": the whole text, "module": ..., "name": ..., "offset": ...}. Members whose part
// is missing in the text are absent.
Json symbol_json(std::string_view text);

// The value of a field of a record or key, before any formatting.
Json value_json(const Field& field, const std::byte* base, const ValuePrinter& values);

// {"stack-frames": [...]} or {"ustack-frames": [...]}, innermost first.
Json stack_json(const Field& field, const std::byte* base, const ValuePrinter& values);

// {"aggregation-name": ..., "aggregation-function": ...}, with the types of the keys, the parameters of the function
// and the divisor of normalize(), if it is not 1; the caller adds the elements.
Json aggregation_json(const AggregationPlan& plan, uint64_t normal);
// {"keys": [...], "count": 3} or, for distributions, {"keys": [...], "buckets": [...]}. Member "exact" has what a merge
// needs besides.
Json element_json(const AggregationLine& line, const AggregationLine::Value& value, const ValuePrinter& values);
// The text of an object: the members of `head`, those of aggregation_json() and the elements, in order. Empty without
// elements. Serialized element by element: as one Json value, a hundred thousand elements would take much memory.
// `adjust`, if not null, changes each element.
std::string aggregation_text(Json head, AggregationSet& aggregations, uint32_t id, const AggregationPlan& plan,
                             const ValuePrinter& values, void (*adjust)(Json& element) = nullptr);

}  // namespace dscope
