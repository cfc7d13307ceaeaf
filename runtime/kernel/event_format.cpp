// A line is "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;".
#include "runtime/kernel/event_format.h"

#include <charconv>
#include <optional>

namespace dscope {
namespace {

// The decimal number after `key`.
std::optional<uint32_t> number_after(std::string_view line, std::string_view key) {
  size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view digits = line.substr(at + key.size());
  uint32_t value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{}) return std::nullopt;
  return value;
}

std::optional<EventField> read_field(std::string_view line) {
  constexpr std::string_view key = "field:";
  size_t start = line.find(key);
  size_t end = line.find(";\t");
  if (start == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  start += key.size();
  std::string_view numbers = line.substr(end);
  auto offset = number_after(numbers, "offset:");
  auto size = number_after(numbers, "size:");
  if (end < start || !offset || !size) return std::nullopt;
  return EventField{.declaration = split_declaration(line.substr(start, end - start)),
                    .offset = *offset,
                    .size = *size,
                    .is_signed = number_after(numbers, "signed:").value_or(0) != 0};
}

}  // namespace

std::vector<EventField> read_event_format(std::string_view format) {
  std::vector<EventField> fields;
  while (!format.empty()) {
    std::string_view line = format.substr(0, format.find('\n'));
    format.remove_prefix(std::min(line.size() + 1, format.size()));
    if (line.starts_with("print fmt:")) break;
    auto field = read_field(line);
    if (field && !field->declaration.name.starts_with("common_")) fields.push_back(std::move(*field));
  }
  return fields;
}

}  // namespace dscope
