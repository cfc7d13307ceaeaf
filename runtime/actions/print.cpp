// print(): prints a value, or an object with its members, by its type (consumer-and-actions.md 3.7).
#include "runtime/actions/compact_object.h"
#include "runtime/actions/printed_object.h"
#include "runtime/format/append_text.h"
#include "runtime/format/value.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

constexpr size_t margin = 44;  // width of a row's prefix

class ObjectText {
 public:
  ObjectText(const PrintedObject& object, const ValuePrinter& values) : object_(object), values_(values) {}

  void append(std::string& out, int32_t type) { append_value(out, object_.type(type), {}, 0, 0); }

 private:
  static void indent(std::string& out, size_t depth) { append_blanks(out, margin + depth); }

  // Appends the lines of one value. `member` is its name in its struct; empty if it has none.
  void append_value(std::string& out, const PrintedType& type, std::string_view member, uint64_t offset,
                    size_t depth) const {
    switch (type.kind) {
      case PrintedKind::Object: return append_object(out, type, member, offset, depth);
      case PrintedKind::Array: return append_array(out, type, member, offset, depth);
      case PrintedKind::Integer:
      case PrintedKind::Enum:
      case PrintedKind::Pointer:
        if (type.size > 8) return append_wide(out, type, member, depth);
        return append_number(out, type, member, object_.number(type, offset), depth);
      case PrintedKind::String:
        append_start(out, type, member, depth);
        out += '"';
        values_.append_text(out, text_of(object_.bytes().subspan(offset)));
        out += "\",\n";
        return;
      case PrintedKind::Nothing: return;
    }
  }

  static void append_start(std::string& out, const PrintedType& type, std::string_view member, size_t depth) {
    indent(out, depth);
    if (!member.empty()) out += fmt::format("{}{} = ", member.starts_with('[') ? "" : ".", visible_line(member));
    out += fmt::format("({})", visible_line(type.name));
  }

  void append_number(std::string& out, const PrintedType& type, std::string_view member, int64_t value,
                     size_t depth) const {
    append_start(out, type, member, depth);
    if (type.kind == PrintedKind::Pointer) {
      out += fmt::format("0x{:x}", static_cast<uint64_t>(value));
    } else if (type.is_char) {
      out += '\'';
      char character = static_cast<char>(value);
      values_.append_text(out, {&character, 1});
      out += '\'';
    } else if (!type.enumerators.empty()) {
      out += visible_line(enumerator_text(type, value));
    } else if (type.is_signed) {
      append_signed(out, value);
    } else {
      append_unsigned(out, static_cast<uint64_t>(value));
    }
    out += ",\n";
  }

  static void append_wide(std::string& out, const PrintedType& type, std::string_view member, size_t depth) {
    append_start(out, type, member, depth);
    out += fmt::format("?({} bit value),\n", type.size * 8);
  }

  void append_object(std::string& out, const PrintedType& type, std::string_view member, uint64_t offset,
                     size_t depth) const {
    if (!begin_group(out, type, member, depth, " {")) return;
    for (size_t i = 0; i < type.members.size(); ++i) {
      const PrintedMember& entry = type.members[i];
      if (!object_.has_member(type, i, offset)) continue;
      uint64_t start = offset + entry.bit_offset / 8;
      if (!object_.is_shown(start)) {
        append_rest(out, depth + 1);
        break;
      }
      if (entry.bit_size != 0) append_bits(out, entry, offset, depth + 1);
      else if (type.shows_zeros || !object_.is_zero(start, object_.type(entry.type).size))
        append_value(out, object_.type(entry.type), entry.name, start, depth + 1);
    }
    end_group(out, depth, '}');
  }

  void append_array(std::string& out, const PrintedType& type, std::string_view member, uint64_t offset,
                    size_t depth) const {
    if (type.count == 0) {
      append_start(out, type, member, depth);
      out += " [],\n";
      return;
    }
    if (!begin_group(out, type, member, depth, " [")) return;
    const PrintedType& element = object_.type(type.element);
    for (uint64_t i = 0; i < type.count; ++i) {
      uint64_t start = offset + i * element.size;
      if (!object_.is_shown(start)) {
        append_rest(out, depth + 1);
        break;
      }
      bool is_nothing = object_.is_zero(start, element.size);
      if (is_nothing && element.is_char) break;
      if (!is_nothing) append_value(out, element, {}, start, depth + 1);
    }
    end_group(out, depth, ']');
  }

  static void append_rest(std::string& out, size_t depth) {
    indent(out, depth);
    out += "...\n";
  }

  static bool begin_group(std::string& out, const PrintedType& type, std::string_view member, size_t depth,
                          std::string_view bracket) {
    if (depth >= max_member_depth) {
      append_rest(out, depth);
      return false;
    }
    append_start(out, type, member, depth);
    out += bracket;
    out += '\n';
    return true;
  }

  static void end_group(std::string& out, size_t depth, char bracket) {
    indent(out, depth);
    out += bracket;
    out += depth == 0 ? "\n" : ",\n";
  }

  void append_bits(std::string& out, const PrintedMember& member, uint64_t offset, size_t depth) const {
    if (int64_t value = object_.bits(member, offset); value != 0)
      append_number(out, object_.type(member.type), member.name, value, depth);
  }

  const PrintedObject& object_;
  const ValuePrinter& values_;
};

// A probe name: the record holds the row of the probe instead of the string's bytes.
void append_name(std::string& out, const ActionServices& services, const Field& field, const std::byte* record) {
  append_blanks(out, margin);
  out += "(string)\"";
  services.values.append_text(out, services.values.text(field, record));
  out += "\",\n";
}

// *POINTER = VALUE. Unless the option quiet is set, a row ends the line.
void append_compact(std::string& out, const RecordedAction& call, const ActionServices& services,
                    const PrintedFields& fields) {
  constexpr size_t line_width = 80, row_prefix = 46;
  bool is_quiet = services.options.is_on(OptionId::Quiet);
  std::string text;
  if (fields.pointer != nullptr)
    text = fmt::format("*0x{:x} = ", static_cast<uint64_t>(load_integer(*fields.pointer, call.record)));
  if (is_numbered_text(fields.value->kind)) {
    text += '"';
    services.values.append_text(text, services.values.text(*fields.value, call.record));
    text += '"';
  } else {
    PrintedObject object = printed_object(call, services, *fields.value);
    size_t column = text.size() + (is_quiet ? 0 : row_prefix);
    text += compact_text(object, services.values, fields.value->printed_type, column, line_width);
  }
  out += text;
  if (is_quiet) out += '\n';
}

}  // namespace

void run_Print(const RecordedAction& call, const ActionServices& services, std::string& out) {
  PrintedFields fields = printed_fields(call);
  if (fields.value == nullptr) return;
  if (services.options.text(OptionId::Printform) == "compact") return append_compact(out, call, services, fields);
  auto [pointer, value] = fields;
  if (pointer) out += fmt::format("0x{:x} = *", static_cast<uint64_t>(load_integer(*pointer, call.record)));
  out += '\n';
  if (is_numbered_text(value->kind)) return append_name(out, services, *value, call.record);
  PrintedObject object = printed_object(call, services, *value);
  ObjectText(object, services.values).append(out, value->printed_type);
}

}  // namespace dscope
