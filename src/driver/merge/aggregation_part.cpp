#include "driver/merge/aggregation_part.h"

#include <algorithm>
#include <array>

#include "catalog/catalog.h"
#include "driver/merge/bucket_words.h"
#include "runtime/format/append_text.h"

namespace dscope {

namespace {

__extension__ typedef unsigned __int128 Uint128;

const Json* member(const Json& object, std::string_view name) {
  auto found = object.is_object() ? object.find(std::string{name}) : object.end();
  return found == object.end() ? nullptr : &*found;
}

// The bits of an integer; nothing for numbers of more than 64 bits, which the parser has rounded.
std::optional<int64_t> integer(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_number_unsigned()) return static_cast<int64_t>(value->get<uint64_t>());
  return value->is_number_integer() ? std::optional(value->get<int64_t>()) : std::nullopt;
}

std::optional<std::string> text(const Json* value) {
  return value != nullptr && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
}

std::optional<Uint128> wide_integer(const Json* value) {
  std::optional<std::string> digits = text(value);
  if (!digits || digits->empty() || digits->size() > 39) return std::nullopt;
  Uint128 number = 0;
  for (char digit : *digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = number * 10 + static_cast<unsigned>(digit - '0');
  }
  return number;
}

constexpr std::array<std::string_view, 13> key_type_names = {"int8",   "int16",  "int32",  "int64",  "uint8",
                                                             "uint16", "uint32", "uint64", "string", "symbol",
                                                             "stack",  "bytes",  "address"};

constexpr std::array<const char*, 7> symbol_members = {"func", "mod", "sym", "uaddr", "ufunc", "umod", "usym"};

bool is_stack(const Json& key) {
  const Json* frames = member(key, "stack-frames");
  if (frames == nullptr) frames = member(key, "ustack-frames");
  if (frames == nullptr || !frames->is_array()) return false;
  return std::ranges::all_of(*frames, [](const Json& frame) { return text(member(frame, "symbol")).has_value(); });
}

bool is_symbol(const Json& key) {
  return std::ranges::any_of(symbol_members, [&](const char* name) { return text(member(key, name)).has_value(); });
}

bool is_bytes(const Json& key) {
  std::optional<std::string> digits = text(member(key, "bytes"));
  return digits && !digits->empty() && digits->size() % 2 == 0 &&
         digits->find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool fits(const Json& key, std::string_view type) {
  if (type == "string") return key.is_string();
  if (type == "symbol") return is_symbol(key);
  if (type == "stack") return is_stack(key);
  if (type == "bytes") return is_bytes(key);
  if (type == "address") return is_symbol(key) || is_stack(key);
  return integer(&key).has_value();
}

// Reads one item of "aggregation-data" after the other. Errors are sentences about the aggregation.
class PartReader {
 public:
  explicit PartReader(const Json& item) : item_(item) {}

  Result<AggregationPart> read() {
    DS_TRY_VOID(read_head());
    DS_TRY_VOID(read_keys());
    DS_TRY_VOID(read_parameters());
    DS_TRY(part_.plan.data_words, count_words(part_.plan));
    part_.plan.value_size = part_.plan.data_words * 8;
    if (row(part_.plan.function).content == AggregationContent::Buckets) buckets_.emplace(part_.plan);
    const Json* data = member(item_, "aggregation-data");
    if (data == nullptr || !data->is_array()) return fail(problem("has no aggregation-data"));
    for (const Json& element : *data) {
      DS_TRY(PartElement read, read_element(element));
      part_.elements.push_back(std::move(read));
    }
    return std::move(part_);
  }

 private:
  Error problem(std::string_view what) const { return Error::make("@{} {}", part_.plan.name, what); }
  std::string_view function_name() const { return row(part_.plan.function).name; }

  Result<> read_head() {
    const Json* name = member(item_, "aggregation-name");
    if (!text(name)) return fail(Error("an aggregation has no name"));
    part_.plan.name = traced_text(*name);
    std::optional<std::string> function = text(member(item_, "aggregation-function"));
    const AggregationRow* known = function ? find_aggregation(*function) : nullptr;
    if (known == nullptr) return fail(problem("has an unknown function"));
    part_.plan.function = known->id;
    const Json* normal = member(item_, "normal");
    if (normal == nullptr) return {};
    part_.normal = static_cast<uint64_t>(integer(normal).value_or(0));
    return part_.normal != 0 ? Result<>{} : fail(problem("has an invalid divisor of normalize()"));
  }

  Result<> read_keys() {
    const Json* keys = member(item_, "aggregation-keys");
    if (keys == nullptr) return {};
    if (!keys->is_array()) return fail(problem("has invalid keys"));
    for (const Json& key : *keys) {
      std::string type = text(member(key, "type")).value_or("");
      if (std::ranges::find(key_type_names, type) == key_type_names.end())
        return fail(problem("has a key of an unknown type"));
      part_.key_types.push_back(std::move(type));
      const Json* name = member(key, "name");
      part_.plan.columns.push_back(text(name) ? traced_text(*name) : "");
    }
    return {};
  }

  Result<> read_numbers(const Json& from, std::initializer_list<const char*> names) {
    size_t i = 0;
    for (const char* name : names) {
      std::optional<int64_t> number = integer(member(from, name));
      if (!number) return fail(problem("has invalid parameters"));
      part_.plan.parameters[i++] = *number;
    }
    return {};
  }

  Result<> read_parameters() {
    AggregationFunction function = part_.plan.function;
    bool has_parameters = function == AggregationFunction::Lquantize || function == AggregationFunction::Llquantize ||
                          function == AggregationFunction::Percentile;
    if (!has_parameters) return {};
    const Json* parameters = member(item_, "aggregation-parameters");
    if (parameters == nullptr) return fail(without("aggregation-parameters"));
    if (function == AggregationFunction::Lquantize) return read_numbers(*parameters, {"base", "levels", "step"});
    if (function == AggregationFunction::Llquantize)
      return read_numbers(*parameters, {"factor", "low", "high", "steps"});
    return read_percentiles(*parameters);
  }

  Result<> read_percentiles(const Json& parameters) {
    const Json *numbers = member(parameters, "percentiles"), *is_signed = member(parameters, "signed");
    if (numbers == nullptr || !numbers->is_array() || numbers->empty() || is_signed == nullptr ||
        !is_signed->is_boolean())
      return fail(problem("has invalid parameters"));
    for (const Json& number : *numbers) {
      std::optional<PercentileNumber> percentile = parse_percentile(text(&number).value_or(""));
      if (!percentile) return fail(problem("has invalid parameters"));
      part_.plan.percentiles.push_back(*percentile);
    }
    part_.plan.parameters[0] = is_signed->get<bool>() ? signed_percentile_zero : 0;
    return {};
  }

  Error without(std::string_view name) const {
    return problem(fmt::format("cannot be merged: {}() needs the member \"{}\"", function_name(), name))
        .hint("use the --format=json of this version of dscope on each machine");
  }

  // Keys without a declared type have that of the first value.
  Result<> check_keys(const Json* keys) {
    if (keys == nullptr || !keys->is_array()) return fail(problem("has an element without keys"));
    if (part_.key_types.empty() && part_.elements.empty())
      for (const Json& key : *keys) part_.key_types.push_back(type_of(key));
    if (keys->size() != part_.key_types.size()) return fail(problem("has elements with different numbers of keys"));
    for (size_t i = 0; i < keys->size(); ++i)
      if (!fits((*keys)[i], part_.key_types[i]))
        return fail(problem(fmt::format("has a key that is no {}", part_.key_types[i])));
    return {};
  }

  static std::string type_of(const Json& key) {
    for (std::string_view type : {"int64", "string", "symbol", "stack"})
      if (fits(key, type)) return std::string{type};
    return "bytes";
  }

  Result<PartElement> read_element(const Json& element) {
    const Json* keys = member(element, "keys");
    DS_TRY_VOID(check_keys(keys));
    PartElement result{.keys = *keys, .words = {}};
    if (buckets_) DS_TRY_VOID(read_buckets(element, result));
    else DS_TRY_VOID(read_number(element, result));
    return result;
  }

  // The buckets of a distribution are exact unless they are divided; those of percentile() are always apart.
  Result<> read_buckets(const Json& element, PartElement& result) {
    bool is_exact = part_.plan.function != AggregationFunction::Percentile && part_.normal == 1;
    const Json* from = is_exact ? &element : member(element, "exact");
    if (from == nullptr) return fail(without("exact"));
    const Json* buckets = member(*from, "buckets");
    if (buckets == nullptr || !buckets->is_array()) return fail(problem("has an element without buckets"));
    for (const Json& bucket : *buckets) {
      std::optional<int64_t> value = integer(member(bucket, "value")), count = integer(member(bucket, "count"));
      std::string relation = text(member(bucket, "relation")).value_or("");
      std::optional<size_t> word = value ? buckets_->find(relation, *value) : std::nullopt;
      if (!word || !count) return fail(problem("has a bucket that its function does not have"));
      if (*count != 0) result.words.emplace_back(*word, *count);
    }
    return {};
  }

  Result<> read_number(const Json& element, PartElement& result) {
    AggregationFunction function = part_.plan.function;
    bool has_parts = function == AggregationFunction::Avg || function == AggregationFunction::Stddev;
    const Json* exact = member(element, "exact");
    if (exact == nullptr && (has_parts || part_.normal != 1)) return fail(without("exact"));
    if (!has_parts) {
      auto value = integer(part_.normal == 1 ? member(element, function_name()) : member(*exact, "value"));
      if (!value) return fail(problem("has an element without a value"));
      result.words.emplace_back(0, *value);
      return {};
    }
    std::optional<int64_t> count = integer(member(*exact, "count")), sum = integer(member(*exact, "sum"));
    if (!count || !sum) return fail(problem("has an element without a value"));
    result.words = {{0, *count}, {1, *sum}};
    if (function == AggregationFunction::Avg) return {};
    std::optional<Uint128> squares = wide_integer(member(*exact, "sum-of-squares"));
    if (!squares) return fail(problem("has an element without a value"));
    result.words.emplace_back(2, static_cast<int64_t>(static_cast<uint64_t>(*squares)));
    result.words.emplace_back(3, static_cast<int64_t>(static_cast<uint64_t>(*squares >> 64)));
    return {};
  }

  const Json& item_;
  AggregationPart part_;
  std::optional<BucketWords> buckets_;
};

}  // namespace

Result<AggregationPart> parse_aggregation(const Json& item) { return PartReader{item}.read(); }

std::string traced_text(const Json& value) {
  const std::string& encoded = value.get_ref<const std::string&>();
  std::string bytes;
  for (size_t i = 0; i < encoded.size(); ++i) {
    // U+EF80 to U+EFFF are EE BE 80 to EE BF BF.
    bool is_byte = i + 2 < encoded.size() && encoded[i] == '\xee' && static_cast<unsigned char>(encoded[i + 1]) >= 0xbe;
    if (!is_byte) {
      bytes += encoded[i];
      continue;
    }
    auto high = static_cast<unsigned char>(encoded[i + 1]), low = static_cast<unsigned char>(encoded[i + 2]);
    bytes += static_cast<char>(((high & 0x3) << 6) | (low & 0x3f));
    i += 2;
  }
  return bytes;
}

}  // namespace dscope
