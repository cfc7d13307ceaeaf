// Traced values as JSON (docs/json-output.md): exact integers, lossless text, stacks and symbols as objects,
// aggregations with their keys.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "runtime/aggregations/aggregation_form.h"
#include "runtime/aggregations/aggregation_table.h"
#include "runtime/format/value_printer.h"

namespace dscope {

// Members stay in the order in which they are set.
using Json = nlohmann::ordered_json;

// UTF-8 for any bytes: what is not UTF-8 becomes U+EF00 + byte, one character for each; characters in the range U+EF80
// to U+EFFF are themselves written so, byte by byte. Nothing is lost: reversing it gives the bytes.
std::string json_text(std::string_view bytes);

// {"bytes": "hexadecimal digits"}
Json bytes_json(std::span<const std::byte> bytes);

// "vmlinux`vfs_read+0x10" as {"symbol": all of it, "module": ..., "name": ..., "offset": ...}; members that the text
// lacks are absent.
Json symbol_json(std::string_view text);

// A field of a record or key as trace() would show it, before any formatting.
Json value_json(const Field& field, const std::byte* base, const ValuePrinter& values);

// {"stack-frames": [...]} or {"ustack-frames": [...]}, innermost first.
Json stack_json(const Field& field, const std::byte* base, const ValuePrinter& values);

// {"aggregation-name": ..., "aggregation-function": ...}; its elements are added by the caller.
Json aggregation_json(const AggregationPlan& plan);
// {"keys": [...], "count": 3} or, for distributions, {"keys": [...], "buckets": [...]}.
Json element_json(const AggregationLine& line, const AggregationLine::Value& value, const ValuePrinter& values);

}  // namespace dscope
