// Formats of tracepoints, as tracefs describes them and other tracers store them, and the records that they describe.
// libtraceevent parses the descriptions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "import/imported_event.h"

struct tep_handle;
struct tep_event;

namespace dscope {

// The place of a field's value in a record.
struct RecordField {
  uint32_t offset = 0, size = 0;  // bytes
  bool is_dynamic = false;        // the field has the place of the value: its offset and its size
  bool is_relative = false;       // that offset counts from the end of the field
};

struct EventFormat {
  uint32_t id = 0;  // of the recording kernel
  ImportedEventType type;
  std::vector<RecordField> places;  // parallel to type.fields
};

class EventFormats {
 public:
  EventFormats();
  ~EventFormats();
  EventFormats(const EventFormats&) = delete;
  EventFormats& operator=(const EventFormats&) = delete;

  // The format of an event of a group, "sched"; nullopt if libtraceevent cannot parse it.
  std::optional<EventFormat> parse(std::string_view group, std::string_view format);

 private:
  tep_handle* parser_;
};

// The format of an event that libtraceevent has parsed.
EventFormat event_format_of(const tep_event& event);

// The values of a record's fields: views of `record`, which anyone may have written. Values beyond its end are 0 or
// empty.
void read_record(const EventFormat& format, std::string_view record, std::vector<ImportedValue>& values);

}  // namespace dscope
