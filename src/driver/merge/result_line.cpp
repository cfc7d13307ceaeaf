#include "driver/merge/result_line.h"

#include <algorithm>
#include <array>

namespace dscope {

namespace {

constexpr std::array<std::string_view, 5> event_types = {"row", "fault", "drop", "aggregation", "exit"};

constexpr std::string_view event_start = "{\"type\":\"";

bool is_event(const Json& value) {
  if (!value.is_object()) return false;
  auto type = value.find("type"), time = value.find("timestamp");
  if (type == value.end() || !type->is_string() || time == value.end() || !time->is_number_integer()) return false;
  return std::ranges::find(event_types, type->get_ref<const std::string&>()) != event_types.end();
}

std::string_view trimmed(std::string_view text, std::string_view characters) {
  size_t begin = text.find_first_not_of(characters);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(characters) + 1 - begin);
}

}  // namespace

ResultLine read_result_line(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  constexpr size_t longest_name = 255;
  ResultLine result;
  size_t start = line.find('{');
  if (start == std::string_view::npos) return result;
  // "host: {", and "[pod/name/container] {" of kubectl logs.
  std::string_view machine = trimmed(line.substr(0, start), " \t:[]");
  std::string_view object = trimmed(line.substr(start), blanks);
  if (machine.size() > longest_name || machine.find_first_of(blanks) != std::string_view::npos) return result;
  result.machine = machine;
  result.event = Json::parse(object, nullptr, /*allow_exceptions=*/false);
  if (is_event(result.event)) {
    result.kind = LineKind::Event;
  } else if (result.event.is_discarded()) {
    size_t common = std::min(object.size(), event_start.size());
    bool is_cut = object.substr(0, common) == event_start.substr(0, common);
    if (is_cut) result.kind = LineKind::Damaged;
  }
  return result;
}

}  // namespace dscope
