#include "import/ctf_fields.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "import/imported_event.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr int max_depth = 4;
constexpr uint32_t max_elements = 128;
constexpr std::string_view call_entry = "syscall_entry_", call_exit = "syscall_exit_";

bool is(bt_field_class_type type, uint64_t kind) {
  return bt_field_class_type_is(type, static_cast<bt_field_class_type>(kind));
}
bool is_unsigned(bt_field_class_type type) { return is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER); }
bool is_signed(bt_field_class_type type) { return is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER); }

// perf puts the circumstances of an event among its fields.
bool is_context(std::string_view name) { return name.starts_with("perf_") || name.starts_with("common_"); }

// LTTng's names of members of the payload.
std::string_view plain_name(std::string_view name) { return name.starts_with('_') ? name.substr(1) : name; }

std::optional<uint64_t> number_of(const bt_field* field) {
  bt_field_class_type type = bt_field_get_class_type(field);
  if (is_unsigned(type)) return bt_field_integer_unsigned_get_value(field);
  if (is_signed(type)) return static_cast<uint64_t>(bt_field_integer_signed_get_value(field));
  if (type == BT_FIELD_CLASS_TYPE_BOOL) return bt_field_bool_get_value(field) != BT_FALSE;
  if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY) return bt_field_bit_array_get_value_as_integer(field);
  return std::nullopt;
}

// Takes from a structure what describes the thread.
void read_context(const bt_field* structure, CtfContext& context) {
  if (structure == nullptr || bt_field_get_class_type(structure) != BT_FIELD_CLASS_TYPE_STRUCTURE) return;
  const bt_field_class* structure_class = bt_field_borrow_class_const(structure);
  for (uint64_t i = 0; i < bt_field_class_structure_get_member_count(structure_class); ++i) {
    const bt_field* member = bt_field_structure_borrow_member_field_by_index_const(structure, i);
    std::string_view name = plain_name(bt_field_class_structure_member_get_name(
        bt_field_class_structure_borrow_member_by_index_const(structure_class, i)));
    if (name == "procname" || name == "comm" || name == "perf_comm") {
      if (bt_field_get_class_type(member) == BT_FIELD_CLASS_TYPE_STRING)
        context.thread_name = bt_field_string_get_value(member);
      continue;
    }
    std::optional<uint64_t>* place = name == "cpu_id"                                        ? &context.cpu
                                     : name == "pid" || name == "vpid" || name == "perf_pid" ? &context.process
                                     : name == "tid" || name == "vtid" || name == "perf_tid" ? &context.thread
                                                                                             : nullptr;
    if (place != nullptr && !*place) *place = number_of(member);
  }
}

ImportedField number_field(std::string name, const bt_field_class* field_class, bt_field_class_type type) {
  uint64_t bits = is_unsigned(type) || is_signed(type) ? bt_field_class_integer_get_field_value_range(field_class) : 64;
  uint32_t size = 8;
  for (uint32_t smaller : {4U, 2U, 1U})
    if (bits <= smaller * CHAR_BIT) size = smaller;
  return {.name = std::move(name),
          .type_text = fmt::format("{}int{}_t", is_signed(type) ? "" : "u", size * uint32_t{CHAR_BIT}),
          .kind = ImportedKind::Number,
          .size = size,
          .is_signed = is_signed(type)};
}

void add_structure(const bt_field_class* structure, const std::string& prefix, int depth,
                   std::vector<ImportedField>& fields);

// Numbers, texts and arrays of numbers; D has no other values.
void add_field(std::string name, const bt_field_class* field_class, int depth, std::vector<ImportedField>& fields) {
  bt_field_class_type type = bt_field_class_get_type(field_class);
  if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) return add_structure(field_class, name + "_", depth + 1, fields);
  if (is_unsigned(type) || is_signed(type) || type == BT_FIELD_CLASS_TYPE_BOOL || type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
    fields.push_back(number_field(std::move(name), field_class, type));
  else if (type == BT_FIELD_CLASS_TYPE_STRING)
    fields.push_back(
        {.name = std::move(name), .type_text = "char *", .kind = ImportedKind::Text, .size = max_imported_text});
  else if (is(type, BT_FIELD_CLASS_TYPE_ARRAY))
    fields.push_back({.name = std::move(name),
                      .type_text = "uint64_t *",
                      .kind = ImportedKind::Bytes,
                      .size = max_elements * static_cast<uint32_t>(sizeof(uint64_t))});
}

void add_structure(const bt_field_class* structure, const std::string& prefix, int depth,
                   std::vector<ImportedField>& fields) {
  if (structure == nullptr || depth > max_depth || bt_field_class_get_type(structure) != BT_FIELD_CLASS_TYPE_STRUCTURE)
    return;
  for (uint64_t i = 0; i < bt_field_class_structure_get_member_count(structure); ++i) {
    const bt_field_class_structure_member* member = bt_field_class_structure_borrow_member_by_index_const(structure, i);
    std::string_view name = plain_name(bt_field_class_structure_member_get_name(member));
    if (!is_context(name))
      add_field(prefix + std::string(name), bt_field_class_structure_member_borrow_field_class_const(member), depth,
                fields);
  }
}

// "sched" of "sched_switch"
std::string group_of(std::string_view name) {
  for (std::string_view group : {"sched", "signal", "block", "irq", "timer", "kmem", "net"})
    if (name.starts_with(group) && name.substr(group.size()).starts_with('_')) return std::string(group);
  return "ctf";
}

}  // namespace

CtfContext read_ctf_context(const bt_event* event) {
  CtfContext context;
  if (const bt_packet* packet = bt_event_borrow_packet_const(event))
    read_context(bt_packet_borrow_context_field_const(packet), context);
  read_context(bt_event_borrow_common_context_field_const(event), context);
  read_context(bt_event_borrow_specific_context_field_const(event), context);
  const bt_field* payload = bt_event_borrow_payload_field_const(event);
  if (payload == nullptr || context.thread) return context;
  CtfContext of_payload;
  const bt_field* first = bt_field_structure_borrow_member_field_by_name_const(payload, "perf_tid");
  if (first != nullptr) read_context(payload, of_payload);
  context.thread = of_payload.thread;
  if (!context.process) context.process = of_payload.process;
  return context;
}

ImportedEventType ctf_event_type(const bt_event_class* event_class) {
  const char* known = bt_event_class_get_name(event_class);
  std::string_view name = known != nullptr ? known : "event";
  ImportedEventType type;
  bool is_entry = name.starts_with(call_entry), is_exit = name.starts_with(call_exit);
  if (is_entry || is_exit) {
    type.group = "syscalls";
    type.name = is_entry ? fmt::format("sys_enter_{}", name.substr(call_entry.size()))
                         : fmt::format("sys_exit_{}", name.substr(call_exit.size()));
    // Where the kernel's tracepoints have the number of the call.
    type.fields.push_back({.name = "__syscall_nr", .type_text = "int", .size = 4});
  } else if (size_t colon = name.find(':'); colon != std::string_view::npos) {
    type.group = name.substr(0, colon);
    type.name = name.substr(colon + 1);
  } else {
    type.group = group_of(name);
    type.name = name;
  }
  add_structure(bt_event_class_borrow_payload_field_class_const(event_class), "", 0, type.fields);
  return type;
}

const std::vector<ImportedValue>& CtfValues::read(const bt_event* event) {
  values_.clear();
  array_count_ = 0;
  arrays_.reserve(max_elements);
  const char* name = bt_event_class_get_name(bt_event_borrow_class_const(event));
  std::string_view text = name != nullptr ? name : "";
  if (text.starts_with(call_entry) || text.starts_with(call_exit)) values_.emplace_back();
  if (const bt_field* payload = bt_event_borrow_payload_field_const(event)) read_structure(payload, 0);
  return values_;
}

void CtfValues::read_structure(const bt_field* structure, int depth) {
  if (depth > max_depth || bt_field_get_class_type(structure) != BT_FIELD_CLASS_TYPE_STRUCTURE) return;
  const bt_field_class* structure_class = bt_field_borrow_class_const(structure);
  for (uint64_t i = 0; i < bt_field_class_structure_get_member_count(structure_class); ++i) {
    std::string_view name = plain_name(bt_field_class_structure_member_get_name(
        bt_field_class_structure_borrow_member_by_index_const(structure_class, i)));
    if (!is_context(name)) read_field(bt_field_structure_borrow_member_field_by_index_const(structure, i), depth);
  }
}

// The order and the choice are those of add_field().
void CtfValues::read_field(const bt_field* field, int depth) {
  bt_field_class_type type = bt_field_get_class_type(field);
  if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) return read_structure(field, depth + 1);
  if (auto number = number_of(field)) values_.push_back({.number = *number, .bytes = {}});
  else if (type == BT_FIELD_CLASS_TYPE_STRING)
    values_.push_back({.number = 0, .bytes = bt_field_string_get_value(field)});
  else if (is(type, BT_FIELD_CLASS_TYPE_ARRAY)) read_array(field);
}

void CtfValues::read_array(const bt_field* field) {
  // A value refers to its array until the next event: the vector must not move.
  if (array_count_ == max_elements) {
    values_.emplace_back();
    return;
  }
  if (array_count_ == arrays_.size()) arrays_.emplace_back();
  std::string& bytes = arrays_[array_count_++];
  bytes.clear();
  for (uint64_t i = 0; i < std::min<uint64_t>(bt_field_array_get_length(field), max_elements); ++i) {
    uint64_t number = number_of(bt_field_array_borrow_element_field_by_index_const(field, i)).value_or(0);
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  values_.push_back({.number = 0, .bytes = bytes});
}

}  // namespace dscope
