// print(): a value or an object with its members, by its type (consumer-and-actions.md 3.7).
#include "runtime/actions/actions.h"
#include "runtime/output/append_text.h"
#include "runtime/output/value.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr size_t margin = 44;  // so wide is the prefix of a row
constexpr size_t deepest = 10;

// Bytes of the object that are shown.
uint64_t shown_bytes(const OptionValues& options) {
  bool is_limited = options.is_set(OptionId::Printsize);
  return is_limited ? static_cast<uint64_t>(options.number(OptionId::Printsize)) : UINT64_MAX;
}

class ObjectText {
 public:
  ObjectText(const ProgramPlan& plan, const ValuePrinter& values, std::span<const std::byte> bytes, uint64_t shown)
      : types_(plan.printed_types), values_(values), bytes_(bytes), shown_(std::min<uint64_t>(shown, bytes.size())) {}

  void append(std::string& out, int32_t type) { append_value(out, at(type), {}, 0, 0); }

 private:
  const PrintedType& at(int32_t type) const {
    DS_CHECK(type >= 0 && static_cast<size_t>(type) < types_.size());
    return types_[static_cast<size_t>(type)];
  }

  static void indent(std::string& out, size_t depth) { append_blanks(out, margin + depth); }

  // One value with its line or lines. `member` names it in its struct, empty: it has no name.
  void append_value(std::string& out, const PrintedType& type, std::string_view member, uint64_t offset,
                    size_t depth) const {
    switch (type.kind) {
      case PrintedKind::Object: return append_object(out, type, member, offset, depth);
      case PrintedKind::Array: return append_array(out, type, member, offset, depth);
      case PrintedKind::Integer:
      case PrintedKind::Enum:
      case PrintedKind::Pointer:
        if (type.size > 8) return append_wide(out, type, member, depth);
        return append_number(out, type, member, load(offset, type), depth);
      case PrintedKind::String:
        append_start(out, type, member, depth);
        out += '"';
        values_.append_text(out, text_of(bytes_.subspan(offset)));
        out += "\",\n";
        return;
      case PrintedKind::Nothing: return;
    }
  }

  static void append_start(std::string& out, const PrintedType& type, std::string_view member, size_t depth) {
    indent(out, depth);
    if (!member.empty()) out += fmt::format(".{} = ", member);
    out += fmt::format("({})", type.name);
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
    } else if (const std::string* name = enumerator(type, value); name != nullptr) {
      out += *name;
    } else if (type.is_signed) {
      append_signed(out, value);
    } else {
      append_unsigned(out, static_cast<uint64_t>(value));
    }
    out += ",\n";
  }

  static const std::string* enumerator(const PrintedType& type, int64_t value) {
    for (const TypeEnumerator& row : type.enumerators)
      if (row.value == value) return &row.name;
    // The kernel's unsigned enums are read as D reads all enums.
    for (const TypeEnumerator& row : type.enumerators)
      if (type.size == 4 && static_cast<uint32_t>(row.value) == static_cast<uint32_t>(value)) return &row.name;
    return nullptr;
  }

  static void append_wide(std::string& out, const PrintedType& type, std::string_view member, size_t depth) {
    append_start(out, type, member, depth);
    out += fmt::format("?({} bit value),\n", type.size * 8);
  }

  void append_object(std::string& out, const PrintedType& type, std::string_view member, uint64_t offset,
                     size_t depth) const {
    if (!begin_group(out, type, member, depth, " {")) return;
    for (const PrintedMember& entry : type.members) {
      uint64_t start = offset + entry.bit_offset / 8;
      if (start >= shown_) {
        append_rest(out, depth + 1);
        break;
      }
      if (entry.bit_size != 0) append_bits(out, entry, offset, depth + 1);
      else if (!is_zero(start, at(entry.type).size)) append_value(out, at(entry.type), entry.name, start, depth + 1);
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
    const PrintedType& element = at(type.element);
    for (uint64_t i = 0; i < type.count; ++i) {
      uint64_t start = offset + i * element.size;
      if (start >= shown_) {
        append_rest(out, depth + 1);
        break;
      }
      bool is_nothing = is_zero(start, element.size);
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
    if (depth >= deepest) {
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
    const PrintedType& type = at(member.type);
    uint64_t value = 0;
    // The bits may lie in as many as nine bytes.
    for (uint32_t i = 0; i < member.bit_size && i < 64; ++i) {
      uint64_t bit = offset * 8 + member.bit_offset + i;
      if (bit / 8 < bytes_.size() && (std::to_integer<uint64_t>(bytes_[bit / 8]) >> bit % 8 & 1) != 0)
        value |= uint64_t{1} << i;
    }
    if (value == 0) return;
    bool is_negative = type.is_signed && member.bit_size < 64 && (value >> (member.bit_size - 1) & 1) != 0;
    if (is_negative) value |= ~uint64_t{0} << member.bit_size;
    append_number(out, type, member.name, static_cast<int64_t>(value), depth);
  }

  int64_t load(uint64_t offset, const PrintedType& type) const {
    if (offset + type.size > bytes_.size()) return 0;
    const std::byte* from = bytes_.data() + offset;
    auto size = static_cast<uint32_t>(type.size);
    Field field{.size = size, .is_signed = type.is_signed};
    return load_integer(field, from);
  }

  bool is_zero(uint64_t offset, uint64_t size) const {
    uint64_t end = std::min<uint64_t>(offset + size, bytes_.size());
    for (uint64_t i = offset; i < end; ++i)
      if (bytes_[i] != std::byte{0}) return false;
    return true;
  }

  const std::vector<PrintedType>& types_;
  const ValuePrinter& values_;
  std::span<const std::byte> bytes_;
  uint64_t shown_;
};

// A string that travels as the number of a probe is no bytes of the record.
void append_name(std::string& out, const ActionServices& services, const Field& field, const std::byte* record) {
  append_blanks(out, margin);
  out += "(string)\"";
  services.values.append_text(out, services.values.text(field, record));
  out += "\",\n";
}

}  // namespace

void run_print(const ActionCall& call, const ActionServices& services, std::string& out) {
  const Field* pointer = call.field(1) ? call.field(0) : nullptr;
  const Field* value = pointer ? call.field(1) : call.field(0);
  if (!value) return;
  if (pointer) out += fmt::format("0x{:x} = *", static_cast<uint64_t>(load_integer(*pointer, call.record)));
  out += '\n';
  if (value->kind == FieldKind::ProbeName) return append_name(out, services, *value, call.record);
  ObjectText object{services.plan, services.values, field_bytes(*value, call.record), shown_bytes(services.options)};
  object.append(out, value->printed_type);
}

}  // namespace dscope
