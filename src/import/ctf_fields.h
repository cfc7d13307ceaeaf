// The fields of CTF events, flattened: members of structures have names like outer_inner.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/imported_event.h"

namespace dscope {

// The circumstances of an event, from its packet, its contexts and, in files of perf, its payload.
struct CtfContext {
  std::optional<uint64_t> cpu, process, thread;
  std::string_view thread_name;
};
CtfContext read_ctf_context(const bt_event* event);

// The type of an event by its name: "sched:sched_switch", "sched_switch", or "syscall_entry_read" of LTTng.
ImportedEventType ctf_event_type(const bt_event_class* event_class);

// The values of an event's fields, parallel to those of its type. Arrays are copied into `bytes`, whose elements stay
// where they are until the next call.
class CtfValues {
 public:
  const std::vector<ImportedValue>& read(const bt_event* event);

 private:
  void read_structure(const bt_field* structure, int depth);
  void read_field(const bt_field* field, int depth);
  void read_array(const bt_field* field);

  std::vector<ImportedValue> values_;
  std::vector<std::string> arrays_;
  size_t array_count_ = 0;
};

}  // namespace dscope
