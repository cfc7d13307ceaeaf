// Aggregations with keys, random END statements on them, and the expected output.
#include <algorithm>
#include <cstdio>
#include <map>

#include "distribution_model.h"
#include "recording.h"
#include "types.h"

namespace dscope::oracle {

namespace {

struct Key {
  const Type* type;
  int64_t number = 0;
  std::string text;
};

struct Row {
  std::vector<Key> keys;
  Aggregated data;
};

// The order of keys: integers compare as unsigned numbers of their size, strings by their bytes.
bool is_before(const std::vector<Key>& a, const std::vector<Key>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].type->kind == Kind::String) {
      if (a[i].text != b[i].text) return a[i].text < b[i].text;
      continue;
    }
    auto bits = [&](int64_t number) { return static_cast<uint64_t>(narrow_bits(number, a[i].type->bits, true)); };
    if (a[i].number != b[i].number) return bits(a[i].number) < bits(b[i].number);
  }
  return false;
}

std::string formatted(const char* format, auto... values) {
  char text[200];
  int length = std::snprintf(text, sizeof text, format, values...);
  return {text, static_cast<size_t>(length)};
}

std::string key_text(const Key& key) {
  if (key.type->kind == Kind::String) return formatted("  %-50s", key.text.c_str());
  switch (key.type->bits) {
    case 64: return formatted(" %16lld", static_cast<long long>(key.number));
    case 32: return formatted(" %8d", static_cast<int>(key.number));
    case 16: return formatted(" %5d", static_cast<int>(narrow_bits(key.number, 16, true)));
    default: return formatted(" %3d", static_cast<int>(narrow_bits(key.number, 8, true)));
  }
}

// One aggregation while the script is generated. `rows` models the consumer's view of it.
class RandomAggregation {
 public:
  RandomAggregation(std::mt19937_64& random, Types& types, std::string name) : random_(random), name_(std::move(name)) {
    static constexpr const char* functions[] = {"count",  "sum",      "min",       "max",       "avg",
                                                "stddev", "quantize", "lquantize", "llquantize"};
    shape_.function = functions[pick(9)];
    if (shape_.function == "lquantize") {
      int64_t base = static_cast<int64_t>(pick(60)) - 30, step = 1 + pick(9);
      shape_.parameters = {base, base + step * (1 + pick(12)) + pick(static_cast<size_t>(step)), step};
    }
    if (shape_.function == "llquantize") {
      int64_t factor = 2 + pick(9), low = pick(3), high = low + pick(4);
      shape_.parameters = {factor, low, high, factor};
    }
    static constexpr const char* integers[] = {"int8_t", "unsigned char", "short",  "uint16_t",
                                               "int",    "unsigned",      "int64_t"};
    for (unsigned count = pick(3); count > 0; --count)
      key_types_.push_back(pick(3) == 0 ? &types.string() : &types.integer(integers[pick(7)]));
  }

  std::string update() {
    std::vector<Key> keys;
    std::string tuple;
    for (const Type* type : key_types_) {
      static constexpr const char* words[] = {"a", "b", "key", "a longer one", "~"};
      Key key{.type = type, .text = ""};
      if (type->kind == Kind::String) key.text = words[pick(5)];
      else key.number = narrow(static_cast<int64_t>(pick(4)) - 1, *type);
      tuple += tuple.empty() ? "" : ", ";
      tuple +=
          type->kind == Kind::String ? "\"" + key.text + "\"" : "(" + type->name + ")" + std::to_string(key.number);
      keys.push_back(std::move(key));
    }
    int64_t value = values_of(pick(4)), increment = 1;
    std::string arguments = shape_.function == "count" ? "" : "(int64_t)" + std::to_string(value);
    for (int64_t parameter : shape_.parameters) arguments += ", " + std::to_string(parameter);
    if (shape_.is_distribution() && pick(4) == 0) {
      increment = static_cast<int64_t>(pick(8)) - (pick(3) == 0 ? 4 : 0);
      arguments += ", " + std::to_string(increment);
    }
    row(keys).data.add(value, increment);
    return "@" + name_ + (tuple.empty() ? "" : "[" + tuple + "]") + " = " + shape_.function + "(" + arguments + ");";
  }

  // Generates a statement of END and its output.
  std::string act(std::string& printed) {
    std::string aggregation = "@" + name_;
    switch (pick(9)) {
      case 0: return normal_ = 1 + pick(6), "normalize(" + aggregation + ", " + std::to_string(normal_) + ");";
      case 1: return normal_ = 1, "denormalize(" + aggregation + ");";
      case 2: return truncate(), "trunc(" + aggregation + ", " + std::to_string(kept_) + ");";
      case 3:
        if (pick(3) == 0) return rows_.clear(), "trunc(" + aggregation + ");";
        [[fallthrough]];
      case 4:
        for (Row& row : rows_) row.data = {};
        return "clear(" + aggregation + ");";
      case 5:
      case 6: return print_formatted(printed);
      default:
        was_printed_ |= !rows_.empty();
        printed += "\n" + all();
        return "printa(" + aggregation + ");";
    }
  }

  // The output at the end of the run, without printa().
  std::string at_the_end() { return was_printed_ ? "" : all(); }

 private:
  unsigned pick(size_t n) { return static_cast<unsigned>(random_() % n); }

  int64_t values_of(unsigned kind) {
    switch (kind) {
      case 0: return static_cast<int64_t>(pick(9)) - 4;
      case 1: return pick(200);
      case 2: return static_cast<int64_t>(pick(100000)) - 50000;
      default: return static_cast<int64_t>(pick(40));
    }
  }

  Row& row(const std::vector<Key>& keys) {
    for (Row& row : rows_)
      if (!is_before(row.keys, keys) && !is_before(keys, row.keys)) return row;
    return rows_.emplace_back(Row{keys, {}});
  }

  void sort() {
    std::stable_sort(rows_.begin(), rows_.end(), [this](const Row& a, const Row& b) {
      int order = compare(shape_, a.data, b.data);
      return order != 0 ? order < 0 : is_before(a.keys, b.keys);
    });
  }

  // Keeps the largest elements, or with a negative number the smallest.
  void truncate() {
    sort();
    kept_ = static_cast<int64_t>(pick(7)) - 3;
    if (kept_ == 0) kept_ = 1;
    auto count = static_cast<int64_t>(rows_.size()), kept = std::min(std::abs(kept_), count);
    if (kept_ > 0) rows_.erase(rows_.begin(), rows_.begin() + (count - kept));
    else rows_.erase(rows_.begin() + kept, rows_.end());
  }

  std::string all() {
    sort();
    std::string text;
    for (const Row& row : rows_) {
      for (const Key& key : row.keys) text += key_text(key);
      if (shape_.is_distribution()) text += distribution_text(shape_, row.data, normal_);
      else if (shape_.function == "stddev") text += formatted(" %16llu", static_cast<unsigned long long>(number(row)));
      else text += formatted(" %16lld", static_cast<long long>(number(row)));
      text += "\n";
    }
    return text;
  }

  int64_t number(const Row& row) const { return number_of(shape_, row.data, normal_); }

  std::string print_formatted(std::string& printed) {
    sort();
    was_printed_ |= !rows_.empty();
    std::string format = name_;
    for (const Type* type : key_types_) format += type->kind == Kind::String ? " %-12s" : " %5d";
    std::string conversion = pick(2) == 0 ? "%@d" : "%@-12d";
    for (const Row& row : rows_) {
      printed += name_;
      for (const Key& key : row.keys) {
        if (key.type->kind == Kind::String) printed += formatted(" %-12s", key.text.c_str());
        else if (key.type->bits == 64) printed += formatted(" %5lld", static_cast<long long>(key.number));
        else if (key.type->is_unsigned) printed += formatted(" %5u", static_cast<unsigned>(key.number));
        else printed += formatted(" %5d", static_cast<int>(key.number));
      }
      printed += "=";
      if (shape_.is_distribution()) printed += distribution_text(shape_, row.data, normal_);
      else printed += formatted(conversion == "%@d" ? "%lld" : "%-12lld", static_cast<long long>(number(row)));
      printed += ";\n";
    }
    return "printa(\"" + format + "=" + conversion + ";\\n\", @" + name_ + ");";
  }

  std::mt19937_64& random_;
  std::string name_;
  Shape shape_;
  std::vector<const Type*> key_types_;
  std::vector<Row> rows_;
  int64_t normal_ = 1, kept_ = 0;
  bool was_printed_ = false;
};

}  // namespace

Recording random_aggregations(std::mt19937_64& random, int aggregations) {
  Types types(256);
  std::vector<RandomAggregation> models;
  for (int i = 0; i < aggregations; ++i) models.emplace_back(random, types, "g" + std::to_string(i));
  Recording result;
  for (int clause = 0; clause < 4; ++clause) {
    result.script += "BEGIN {\n";
    // The first clause names all aggregations in order, which sets the order in which they are printed at the end.
    for (RandomAggregation& model : models)
      for (unsigned count = (clause == 0 ? 1 : 0) + static_cast<unsigned>(random() % 5); count > 0; --count)
        result.script += "  " + model.update() + "\n";
    result.script += "}\n";
  }
  result.script += "BEGIN { exit(0); }\n";
  std::string actions;
  for (RandomAggregation& model : models)
    for (unsigned count = static_cast<unsigned>(random() % 5); count > 0; --count)
      actions += "END { " + model.act(result.text) + " }\n";
  result.script += actions;
  result.text += "\n";
  for (RandomAggregation& model : models) result.text += model.at_the_end();
  return result;
}

}  // namespace dscope::oracle
