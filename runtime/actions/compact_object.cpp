#include "runtime/actions/compact_object.h"

#include "runtime/format/value.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

constexpr size_t indentation = 2;

// A value: its text if it has no parts, else its parts, which stand between brackets.
struct Text {
  std::string text;  // what precedes the brackets, if there are parts
  std::vector<Text> parts;
  char open = 0, close = 0;  // 0: no brackets

  bool has_brackets() const { return open != 0; }
};

class CompactObject {
 public:
  CompactObject(const PrintedObject& object, const ValuePrinter& values) : object_(object), values_(values) {}

  Text text_of_type(const PrintedType& type, uint64_t offset, size_t depth) const {
    switch (type.kind) {
      case PrintedKind::Object: return object_text(type, offset, depth);
      case PrintedKind::Array: return array_text(type, offset, depth);
      case PrintedKind::Integer:
      case PrintedKind::Enum:
      case PrintedKind::Pointer:
        if (type.size > 8) return {.text = fmt::format("?({} bits)", type.size * 8)};
        return {.text = number_text(type, object_.number(type, offset))};
      case PrintedKind::String: return {.text = quoted(text_of(object_.bytes().subspan(offset)))};
      case PrintedKind::Nothing: return {};
    }
    return {};
  }

 private:
  std::string quoted(std::string_view text) const {
    std::string result = "\"";
    values_.append_text(result, text);
    return result + '"';
  }

  std::string number_text(const PrintedType& type, int64_t value) const {
    if (type.kind == PrintedKind::Pointer) return fmt::format("0x{:x}", static_cast<uint64_t>(value));
    if (!type.enumerators.empty()) return visible_line(enumerator_text(type, value));
    if (type.is_char && value > 0x1f && value < 0x7f) return fmt::format("'{}'", static_cast<char>(value));
    return type.is_signed ? fmt::format("{}", value) : fmt::format("{}", static_cast<uint64_t>(value));
  }

  Text object_text(const PrintedType& type, uint64_t offset, size_t depth) const {
    Text result{.text = depth == 0 ? fmt::format("({}) ", visible_line(type.name)) : "", .open = '{', .close = '}'};
    if (depth >= max_member_depth) return {.text = "{...}"};
    for (size_t i = 0; i < type.members.size(); ++i) {
      const PrintedMember& member = type.members[i];
      if (!object_.has_member(type, i, offset)) continue;
      const PrintedType& member_type = object_.type(member.type);
      uint64_t start = offset + member.bit_offset / 8;
      if (!object_.is_shown(start)) {
        result.parts.push_back({.text = "..."});
        break;
      }
      Text value;
      if (member.bit_size != 0) {
        int64_t bits = object_.bits(member, offset);
        if (bits == 0) continue;
        value.text = number_text(member_type, bits);
      } else {
        if (member_type.kind == PrintedKind::Nothing) continue;
        if (!type.shows_zeros && object_.is_zero(start, member_type.size)) continue;
        value = text_of_type(member_type, start, depth + 1);
      }
      // Elements of a vector are named [0], [1] ...
      std::string_view dot = member.name.starts_with('[') ? "" : ".";
      if (!member.name.empty()) value.text.insert(0, fmt::format("{}{} = ", dot, visible_line(member.name)));
      result.parts.push_back(std::move(value));
    }
    return result;
  }

  Text array_text(const PrintedType& type, uint64_t offset, size_t depth) const {
    const PrintedType& element = object_.type(type.element);
    uint64_t count = type.count;
    while (count != 0 && object_.is_zero(offset + (count - 1) * element.size, element.size)) --count;
    if (element.is_char) {
      uint64_t shown = 0;
      while (shown < count && object_.is_shown(offset + shown)) ++shown;
      return {.text = quoted(text_of(object_.bytes().subspan(offset, shown)))};
    }
    Text result{.open = '[', .close = ']'};
    if (depth >= max_member_depth) return {.text = "[...]"};
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t start = offset + i * element.size;
      if (!object_.is_shown(start)) {
        result.parts.push_back({.text = "..."});
        break;
      }
      result.parts.push_back(text_of_type(element, start, depth + 1));
    }
    return result;
  }

  const PrintedObject& object_;
  const ValuePrinter& values_;
};

void append_line(std::string& out, const Text& value) {
  out += value.text;
  if (!value.has_brackets()) return;
  out += value.open;
  for (size_t i = 0; i < value.parts.size(); ++i) {
    if (i != 0) out += ", ";
    append_line(out, value.parts[i]);
  }
  out += value.close;
}

// `used`: columns of the line that are taken, by what precedes the value and by a comma behind it.
void append_lines(std::string& out, const Text& value, size_t depth, size_t used, size_t width) {
  std::string line;
  append_line(line, value);
  if (used + line.size() <= width || value.parts.empty()) {
    out += line;
    return;
  }
  out += value.text;
  out += value.open;
  for (const Text& part : value.parts) {
    size_t indent = (depth + 1) * indentation;
    out += '\n';
    out.append(indent, ' ');
    append_lines(out, part, depth + 1, indent + 1, width);
    out += ',';
  }
  out += '\n';
  out.append(depth * indentation, ' ');
  out += value.close;
}

}  // namespace

std::string compact_text(const PrintedObject& object, const ValuePrinter& values, int32_t type, size_t column,
                         size_t width) {
  std::string out;
  Text value = CompactObject(object, values).text_of_type(object.type(type), 0, 0);
  append_lines(out, value, 0, column, width);
  return out;
}

}  // namespace dscope
