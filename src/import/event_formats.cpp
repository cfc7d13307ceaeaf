#include "import/event_formats.h"

#include <event-parse.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "contract/types/type_text.h"
#include "import/byte_reader.h"
#include "import/imported_event.h"

namespace dscope {

namespace {

constexpr uint32_t max_bytes = 1024;  // longest array that is kept

bool is_register(int size) { return size == 1 || size == 2 || size == 4 || size == 8; }

ImportedField imported_field(const tep_format_field& field) {
  ImportedField result{.name = field.name, .type_text = {}};
  bool is_array = (field.flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC)) != 0;
  // "char[16]", "__data_loc char[]" and "unsigned long[6]" without the array.
  result.type_text = split_declaration(std::string(field.type) + " " + field.name).type;
  if (!is_array && is_register(field.size)) {
    result.kind = ImportedKind::Number;
    result.size = static_cast<uint32_t>(field.size);
    result.is_signed = (field.flags & TEP_FIELD_IS_SIGNED) != 0;
    return result;
  }
  bool is_text = (field.flags & TEP_FIELD_IS_STRING) != 0 || result.type_text == "char";
  bool is_dynamic = (field.flags & TEP_FIELD_IS_DYNAMIC) != 0;
  result.kind = is_text ? ImportedKind::Text : ImportedKind::Bytes;
  result.type_text += result.type_text.ends_with('*') ? "*" : " *";
  uint32_t limit = is_text ? max_imported_text : max_bytes;
  result.size = is_dynamic ? limit : std::min(static_cast<uint32_t>(std::max(field.size, 0)), limit);
  return result;
}

uint64_t read_number(std::string_view bytes, bool is_signed) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
  uint32_t shift = static_cast<uint32_t>(sizeof number - std::min(bytes.size(), sizeof number)) * 8;
  if (!is_signed || shift == 0 || bytes.empty()) return number;
  return static_cast<uint64_t>(static_cast<int64_t>(number << shift) >> shift);
}

std::string_view part(std::string_view record, uint64_t offset, uint64_t size) {
  if (offset > record.size()) return {};
  return record.substr(static_cast<size_t>(offset), static_cast<size_t>(size));
}

}  // namespace

EventFormats::EventFormats() : parser_(tep_alloc()) {
  if (parser_ == nullptr) return;
  tep_set_file_bigendian(parser_, TEP_LITTLE_ENDIAN);
  tep_set_local_bigendian(parser_, TEP_LITTLE_ENDIAN);
  tep_set_loglevel(TEP_LOG_NONE);
}

EventFormats::~EventFormats() { tep_free(parser_); }

std::optional<EventFormat> EventFormats::parse(std::string_view group, std::string_view format) {
  if (parser_ == nullptr) return std::nullopt;
  constexpr std::string_view name_line = "name: ";
  if (!format.starts_with(name_line)) return std::nullopt;
  std::string text(format), system(group), name(format.substr(name_line.size(), format.find('\n') - name_line.size()));
  // The text of print fmt may be more than libtraceevent understands; the fields before it are complete then.
  (void)tep_parse_event(parser_, text.c_str(), text.size(), system.c_str());
  const tep_event* event = tep_find_event_by_name(parser_, system.c_str(), name.c_str());
  if (event == nullptr) return std::nullopt;
  return event_format_of(*event);
}

EventFormat event_format_of(const tep_event& event) {
  EventFormat format{.id = static_cast<uint32_t>(event.id)};
  format.type.group = event.system != nullptr ? event.system : "";
  format.type.name = event.name != nullptr ? event.name : "";
  for (const tep_format_field* field = event.format.fields; field != nullptr; field = field->next) {
    if (field->name == nullptr || field->type == nullptr || field->offset < 0 || field->size < 0) continue;
    format.type.fields.push_back(imported_field(*field));
    format.places.push_back({.offset = static_cast<uint32_t>(field->offset),
                             .size = static_cast<uint32_t>(field->size),
                             .is_dynamic = (field->flags & TEP_FIELD_IS_DYNAMIC) != 0,
                             .is_relative = (field->flags & TEP_FIELD_IS_RELATIVE) != 0});
  }
  return format;
}

void read_record(const EventFormat& format, std::string_view record, std::vector<ImportedValue>& values) {
  values.clear();
  for (size_t i = 0; i < format.places.size(); ++i) {
    const RecordField& place = format.places[i];
    const ImportedField& field = format.type.fields[i];
    std::string_view bytes = part(record, place.offset, place.size);
    if (field.kind == ImportedKind::Number) {
      values.push_back({.number = read_number(bytes, field.is_signed), .bytes = {}});
      continue;
    }
    if (place.is_dynamic) {
      constexpr uint64_t half = 0xffff;
      uint64_t location = read_number(bytes.substr(0, sizeof(uint32_t)), false);
      uint64_t base = place.is_relative ? uint64_t{place.offset} + sizeof(uint32_t) : 0;
      bytes = part(record, base + (location & half), location >> 16);
    }
    if (field.kind == ImportedKind::Text) bytes = until_nul(bytes);
    values.push_back({.number = 0, .bytes = bytes});
  }
}

}  // namespace dscope
