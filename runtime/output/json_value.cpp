#include "runtime/output/json_value.h"

#include <charconv>

#include "runtime/format/append_text.h"
#include "runtime/format/value.h"

namespace dscope {

namespace {

std::string hex_text(std::span<const std::byte> bytes) {
  std::string text;
  for (std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

Json integer_json(const Field& field, const std::byte* base) {
  int64_t value = load_integer(field, base);
  return field.is_signed ? Json(value) : Json(static_cast<uint64_t>(value));
}

// {"sym": text, ...} or {"umod": text, ...}, with the parts of the text as further members.
Json address_json(const Field& field, const std::byte* base, const ValuePrinter& values) {
  std::string text = values.symbol_text(field, base);
  Json result;
  result[std::string(row(field.symbol).name)] = json_text(text);
  Json parts = symbol_json(text);
  for (auto [part, name] : {std::pair{"module", "object"}, {"name", "name"}, {"offset", "offset"}})
    if (parts.contains(part)) result[name] = parts[part];
  return result;
}

// {"value": bound, "count": ...}, with "relation" (such as ">=") for buckets that are unbounded on one side.
Json bucket_json(const DistributionLine& line, uint64_t normal) {
  size_t number = line.label.find_last_of(' ') + 1;  // 0 if there is no blank
  int64_t bound = 0;
  std::from_chars(line.label.data() + number, line.label.data() + line.label.size(), bound);
  Json bucket = Json::object({{"value", bound}});
  if (number != 0) bucket["relation"] = line.label.substr(0, number - 1);
  bucket["count"] = normalized(line.count, normal);
  return bucket;
}

Json number_json(const AggregationPlan& plan, AggregationWords words, uint64_t normal) {
  if (is_distribution(plan.function)) {
    Json buckets = Json::array();
    for (const DistributionLine& line : distribution_lines(plan, words)) buckets.push_back(bucket_json(line, normal));
    return buckets;
  }
  if (!plan.percentiles.empty()) {
    std::vector<int64_t> columns = column_values(plan, words, normal);
    Json values = Json::object();
    for (size_t i = 0; i < columns.size(); ++i) values["p" + percentile_text(plan.percentiles[i])] = columns[i];
    return values;
  }
  int64_t value = scalar_value(plan, words, normal);
  return rendering(plan.function).is_unsigned ? Json(static_cast<uint64_t>(value)) : Json(value);
}

// "int32", "string" ...: readers cannot derive the size of an integer from its value.
std::string key_type(const Field& key) {
  if (!key.variants.empty()) return "address";
  switch (key.kind) {
    case FieldKind::Integer: return fmt::format("{}int{}", key.is_signed ? "" : "u", key.size * 8);
    case FieldKind::String:
    case FieldKind::ProbeName:
    case FieldKind::Container: return "string";
    case FieldKind::KernelAddr:
    case FieldKind::UserAddr: return "symbol";
    case FieldKind::Stack:
    case FieldKind::UserStack: return "stack";
    case FieldKind::Bytes: break;
  }
  return key.is_char_array ? "string" : "bytes";
}

// [{"type": "string", "name": "execname"}, ...], without the name if the key has none.
Json keys_json(const AggregationPlan& plan) {
  Json keys = Json::array();
  for (size_t i = 0; i < plan.keys.size(); ++i) {
    keys.push_back(Json::object({{"type", key_type(plan.keys[i])}}));
    if (i < plan.columns.size() && !plan.columns[i].empty()) keys.back()["name"] = json_text(plan.columns[i]);
  }
  return keys;
}

// The parameters of the function; null if it has none.
Json parameters_json(const AggregationPlan& plan) {
  const int64_t* values = plan.parameters;
  Json percentiles = Json::array();
  switch (plan.function) {
    case AggregationFunction::Lquantize:
      return Json::object({{"base", values[0]}, {"levels", values[1]}, {"step", values[2]}});
    case AggregationFunction::Llquantize:
      return Json::object({{"factor", values[0]}, {"low", values[1]}, {"high", values[2]}, {"steps", values[3]}});
    case AggregationFunction::Percentile:
      for (PercentileNumber each : plan.percentiles) percentiles.push_back(percentile_text(each));
      return Json::object({{"percentiles", std::move(percentiles)}, {"signed", values[0] != 0}});
    case AggregationFunction::Avg:
    case AggregationFunction::Count:
    case AggregationFunction::Max:
    case AggregationFunction::Min:
    case AggregationFunction::Quantize:
    case AggregationFunction::Stddev:
    case AggregationFunction::Sum: break;
  }
  return nullptr;
}

// The buckets of percentile() that have counted values, each by the value in its middle.
Json counted_buckets(const AggregationPlan& plan, AggregationWords words) {
  bool is_signed = plan.parameters[0] != 0;
  Json buckets = Json::array();
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == 0) continue;
    int64_t middle = rendering(plan.function).middle_of_bucket(plan, i);
    Json value = is_signed ? Json(middle) : Json(static_cast<uint64_t>(middle));
    buckets.push_back(Json::object({{"value", std::move(value)}, {"count", words[i]}}));
  }
  return buckets;
}

// The numbers from which the printed value is computed, where it does not determine them; else null.
Json exact_json(const AggregationPlan& plan, AggregationWords words, uint64_t normal) {
  __extension__ typedef unsigned __int128 Uint128;
  if (plan.function == AggregationFunction::Avg && words.size() >= 2)
    return Json::object({{"count", words[0]}, {"sum", words[1]}});
  if (plan.function == AggregationFunction::Stddev && words.size() >= 4) {
    Uint128 squares = (Uint128{static_cast<uint64_t>(words[3])} << 64) | static_cast<uint64_t>(words[2]);
    return Json::object({{"count", words[0]}, {"sum", words[1]}, {"sum-of-squares", fmt::format("{}", squares)}});
  }
  if (plan.function == AggregationFunction::Percentile)
    return Json::object({{"buckets", counted_buckets(plan, words)}});
  if (normal == 1) return nullptr;
  const char* name = is_distribution(plan.function) ? "buckets" : "value";
  return Json::object({{name, number_json(plan, words, 1)}});
}

}  // namespace

std::string json_text(std::string_view bytes) {
  constexpr uint32_t escape_base = 0xef00;
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    size_t length = utf8_length(bytes);
    // U+EF80 to U+EFFF are EE BE 80 to EE BF BF.
    bool is_escape = length == 3 && bytes[0] == '\xee' && static_cast<unsigned char>(bytes[1]) >= 0xbe;
    if (length != 0 && !is_escape) {
      text += bytes.substr(0, length);
    } else {
      length = std::max<size_t>(length, 1);
      for (char byte : bytes.substr(0, length)) append_utf8(text, escape_base + static_cast<unsigned char>(byte));
    }
    bytes.remove_prefix(length);
  }
  return text;
}

Json bytes_json(std::span<const std::byte> bytes) { return Json::object({{"bytes", hex_text(bytes)}}); }

Json symbol_json(std::string_view text) {
  Json result = Json::object({{"symbol", json_text(text)}});
  size_t tick = text.find('`');
  if (tick == std::string_view::npos) return result;
  result["module"] = json_text(text.substr(0, tick));
  std::string_view name = text.substr(tick + 1);
  // "lib.so`0x1234": an address that no symbol covers.
  if (name.starts_with("0x")) return result;
  uint64_t offset = 0;
  if (size_t plus = name.rfind("+0x"); plus != std::string_view::npos) {
    auto parsed = std::from_chars(name.data() + plus + 3, name.data() + name.size(), offset, 16);
    if (parsed.ec == std::errc{} && parsed.ptr == name.data() + name.size()) name = name.substr(0, plus);
    else offset = 0;
  }
  result["name"] = json_text(name);
  result["offset"] = offset;
  return result;
}

Json stack_json(const Field& field, const std::byte* base, const ValuePrinter& values) {
  Json frames = Json::array();
  std::vector<uint64_t> addresses = values.frames(field, base);
  std::vector<std::string> texts = values.frame_texts(field, base, /*with_offset=*/true);
  for (size_t i = 0; i < texts.size(); ++i) {
    Json frame = symbol_json(texts[i]);
    if (i < addresses.size()) frame["address"] = addresses[i];
    frames.push_back(std::move(frame));
  }
  return Json::object({{field.kind == FieldKind::UserStack ? "ustack-frames" : "stack-frames", std::move(frames)}});
}

Json value_json(const Field& field, const std::byte* base, const ValuePrinter& values) {
  switch (field.kind) {
    case FieldKind::Integer: return integer_json(field, base);
    case FieldKind::String:
    case FieldKind::ProbeName:
    case FieldKind::Container: return json_text(values.text(field, base));
    case FieldKind::KernelAddr:
    case FieldKind::UserAddr: return address_json(field, base, values);
    case FieldKind::Stack:
    case FieldKind::UserStack: return stack_json(field, base, values);
    case FieldKind::Bytes: break;
  }
  if (field.is_char_array) return json_text(text_of(field_bytes(field, base)));
  return bytes_json(field_bytes(field, base));
}

Json aggregation_json(const AggregationPlan& plan, uint64_t normal) {
  Json result =
      Json::object({{"aggregation-name", json_text(plan.name)}, {"aggregation-function", row(plan.function).name}});
  if (!plan.keys.empty()) result["aggregation-keys"] = keys_json(plan);
  if (Json parameters = parameters_json(plan); !parameters.is_null())
    result["aggregation-parameters"] = std::move(parameters);
  if (normal != 1) result["normal"] = normal;
  return result;
}

Json element_json(const AggregationLine& line, const AggregationLine::Value& value, const ValuePrinter& values) {
  const AggregationPlan& plan = *value.plan;
  Json keys = Json::array();
  for (const Field& field : line.key_plan->keys)
    keys.push_back(value_json(field_in(field, line.key), line.key, values));
  std::string name{is_distribution(plan.function) ? std::string_view{"buckets"} : row(plan.function).name};
  Json element = Json::object({{"keys", std::move(keys)}});
  element[name] = number_json(plan, value.words, value.normal);
  if (Json exact = exact_json(plan, value.words, value.normal); !exact.is_null()) element["exact"] = std::move(exact);
  if (value.entry != nullptr && !value.entry->per_cpu.empty()) {
    Json& cpus = element["per-cpu"] = Json::array();
    for (const std::vector<int64_t>& words : value.entry->per_cpu)
      cpus.push_back(number_json(plan, words, value.normal));
  }
  return element;
}

std::string aggregation_text(Json head, AggregationSet& aggregations, uint32_t id, const AggregationPlan& plan,
                             const ValuePrinter& values, void (*adjust)(Json& element)) {
  bool has_elements = false;
  std::string text;
  aggregations.visit({id}, [&](const AggregationLine& line) {
    if (!std::exchange(has_elements, true)) {
      head.update(aggregation_json(plan, aggregations.normal(id)));
      text = head.dump();
      text.back() = ',';
      text += "\"aggregation-data\":[";
    } else {
      text += ',';
    }
    Json element = element_json(line, line.values.front(), values);
    if (adjust != nullptr) adjust(element);
    text += element.dump();
  });
  return has_elements ? text + "]}" : text;
}

}  // namespace dscope
