#include "driver/merge/key_layout.h"

#include <algorithm>
#include <cstring>

namespace dscope {

namespace {

constexpr std::pair<const char*, Action> kernel_symbols[] = {
    {"func", Action::Func}, {"mod", Action::Mod}, {"sym", Action::Sym}};
constexpr std::pair<const char*, Action> user_symbols[] = {
    {"uaddr", Action::Uaddr}, {"ufunc", Action::Ufunc}, {"umod", Action::Umod}, {"usym", Action::Usym}};

// A value of a key before its column has a layout.
struct KeyValue {
  FieldKind kind = FieldKind::Bytes;
  Action symbol = Action::Sym;
  std::vector<std::byte> bytes;

  bool has_kind_of(const Field& field) const { return kind == field.kind && symbol == field.symbol; }
};

uint32_t rounded_up(size_t size) { return static_cast<uint32_t>((size + 7) / 8 * 8); }

void append_word(std::vector<std::byte>& bytes, uint64_t word) {
  auto added = std::as_bytes(std::span{&word, 1});
  bytes.insert(bytes.end(), added.begin(), added.end());
}

std::vector<std::byte> bytes_of(std::string_view text) {
  auto bytes = std::as_bytes(std::span{text});
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> bytes_of_hex(const std::string& digits) {
  std::vector<std::byte> bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

// "module`name" of "module`name+0x10".
std::string without_offset(const Json& frame, const std::string& text) {
  bool has_name =
      frame.contains("module") && frame["module"].is_string() && frame.contains("name") && frame["name"].is_string();
  return has_name ? traced_text(frame["module"]) + "`" + traced_text(frame["name"]) : text;
}

// Turns the keys of one column into bytes.
class KeyColumn {
 public:
  KeyColumn(std::string_view type, ResolvedSymbols& symbols) : type_(type), symbols_(symbols) {}

  KeyValue value_of(const Json& key) {
    if (key.is_string()) {
      KeyValue text{.kind = FieldKind::String, .bytes = bytes_of(traced_text(key))};
      text.bytes.push_back(std::byte{});
      return text;
    }
    if (key.is_number()) return {.kind = FieldKind::Integer, .bytes = integer(key)};
    if (key.contains("bytes"))
      return {.kind = FieldKind::Bytes, .bytes = bytes_of_hex(key["bytes"].get<std::string>())};
    if (key.contains("stack-frames")) return {.kind = FieldKind::Stack, .bytes = frames(key["stack-frames"])};
    if (key.contains("ustack-frames")) {
      // Keys of equal value keep the order of their first result, because the process is unknown.
      size_t number = stacks_.try_emplace(key["ustack-frames"].dump(), stacks_.size() + 1).first->second;
      KeyValue stack{.kind = FieldKind::UserStack};
      append_word(stack.bytes, number);
      std::vector<std::byte> addresses = frames(key["ustack-frames"]);
      stack.bytes.insert(stack.bytes.end(), addresses.begin(), addresses.end());
      return stack;
    }
    return symbol(key);
  }

 private:
  // "uint32": the low 4 bytes.
  std::vector<std::byte> integer(const Json& key) const {
    uint64_t bits = key.is_number_unsigned() ? key.get<uint64_t>() : static_cast<uint64_t>(key.get<int64_t>());
    std::vector<std::byte> bytes;
    append_word(bytes, bits);
    bytes.resize(integer_size());
    return bytes;
  }

  size_t integer_size() const {
    if (type_.ends_with("int8")) return 1;
    return type_.ends_with("16") ? 2 : type_.ends_with("32") ? 4 : 8;
  }

  std::vector<std::byte> frames(const Json& frames) {
    std::vector<std::byte> bytes;
    for (const Json& frame : frames) {
      std::string text = traced_text(frame["symbol"]);
      bool has_address = frame.contains("address") && frame["address"].is_number_unsigned();
      uint64_t address = has_address ? frame["address"].get<uint64_t>() : 0;
      append_word(bytes, symbols_.number_of(text, without_offset(frame, text), address));
    }
    return bytes;
  }

  KeyValue symbol(const Json& key) {
    KeyValue value;
    for (auto [name, action] : kernel_symbols)
      if (key.contains(name)) value = {.kind = FieldKind::KernelAddr, .symbol = action, .bytes = number_of(key[name])};
    for (auto [name, action] : user_symbols) {
      if (!key.contains(name)) continue;
      value = {.kind = FieldKind::UserAddr, .symbol = action, .bytes = {}};
      append_word(value.bytes, 1);  // the process
      std::vector<std::byte> number = number_of(key[name]);
      value.bytes.insert(value.bytes.end(), number.begin(), number.end());
    }
    return value;
  }

  std::vector<std::byte> number_of(const Json& name) {
    std::vector<std::byte> bytes;
    std::string text = traced_text(name);
    append_word(bytes, symbols_.number_of(text, text, 0));
    return bytes;
  }

  std::string_view type_;
  ResolvedSymbols& symbols_;
  std::map<std::string, size_t> stacks_;  // by their JSON
};

// The fields of a column: one, or the variants of a column with values of several kinds.
Field field_of(const std::vector<KeyValue>& values, std::string_view type) {
  std::vector<Field> kinds;
  for (const KeyValue& value : values) {
    auto found = std::ranges::find_if(kinds, [&](const Field& field) { return value.has_kind_of(field); });
    if (found == kinds.end()) {
      kinds.push_back({.kind = value.kind, .is_signed = type.starts_with("int"), .symbol = value.symbol});
      found = kinds.end() - 1;
    }
    found->size = std::max(found->size, static_cast<uint32_t>(value.bytes.size()));
  }
  if (kinds.empty()) return {.size = 8};
  if (kinds.size() == 1) return kinds.front();
  Field any = kinds.front();
  for (const Field& kind : kinds) any.size = std::max(any.size, kind.size);
  any.size = rounded_up(any.size) + 8;
  any.variants = std::move(kinds);
  return any;
}

void place(Field& field, uint32_t offset) {
  field.offset = offset;
  for (Field& variant : field.variants) variant.offset = offset + 8;
}

void store(std::vector<std::byte>& key, const Field& field, const KeyValue& value) {
  size_t offset = field.offset;
  if (!field.variants.empty()) {
    auto variant = std::ranges::find_if(field.variants, [&](const Field& each) { return value.has_kind_of(each); });
    uint64_t index = static_cast<uint64_t>(variant - field.variants.begin());
    std::memcpy(key.data() + offset, &index, sizeof index);
    offset += sizeof index;
  }
  if (!value.bytes.empty()) std::memcpy(key.data() + offset, value.bytes.data(), value.bytes.size());
}

}  // namespace

uint64_t ResolvedSymbols::number_of(const std::string& text, const std::string& without_offset, uint64_t address) {
  auto [found, is_new] = numbers_.try_emplace({text, without_offset});
  if (!is_new) return found->second;
  while (texts_.contains(next_)) ++next_;
  uint64_t number = address != 0 && !texts_.contains(address) ? address : next_;
  texts_.emplace(number, Texts{text, without_offset});
  return found->second = number;
}

std::string ResolvedSymbols::text_of(uint64_t number, bool with_offset) const {
  auto found = texts_.find(number);
  if (found == texts_.end()) return fmt::format("0x{:x}", number);
  return with_offset ? found->second.text : found->second.without_offset;
}

KeyLayout lay_out_keys(const MergedAggregation& aggregation, ResolvedSymbols& symbols) {
  KeyLayout layout;
  layout.keys.resize(aggregation.elements.size());
  for (size_t i = 0; i < aggregation.key_types.size(); ++i) {
    KeyColumn column(aggregation.key_types[i], symbols);
    std::vector<KeyValue> values;
    for (const MergedElement& element : aggregation.elements) values.push_back(column.value_of(element.keys[i]));
    Field field = field_of(values, aggregation.key_types[i]);
    place(field, layout.key_size);
    layout.key_size += rounded_up(field.size);
    for (size_t at = 0; at < values.size(); ++at) {
      layout.keys[at].resize(layout.key_size);
      store(layout.keys[at], field, values[at]);
    }
    layout.fields.push_back(std::move(field));
  }
  return layout;
}

}  // namespace dscope
