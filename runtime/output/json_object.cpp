#include "runtime/output/json_object.h"

#include "runtime/format/value.h"

namespace dscope {

namespace {

class ObjectJson {
 public:
  explicit ObjectJson(const PrintedObject& object) : object_(object) {}

  // null for values that have no text form either (functions, floating point) or are nested too deeply.
  Json value(const PrintedType& type, uint64_t offset, size_t depth) const {
    switch (type.kind) {
      case PrintedKind::Object:
      case PrintedKind::Array:
        if (depth >= max_member_depth) return nullptr;
        return type.kind == PrintedKind::Array ? array(type, offset, depth) : members(type, offset, depth);
      case PrintedKind::Integer:
      case PrintedKind::Enum:
      case PrintedKind::Pointer: return type.size > 8 ? Json() : number(type, object_.number(type, offset));
      case PrintedKind::String: return json_text(text_of(object_.bytes().subspan(offset)));
      case PrintedKind::Nothing: break;
    }
    return nullptr;
  }

 private:
  static Json number(const PrintedType& type, int64_t number) {
    if (const std::string* name = enumerator(type, number); name != nullptr) return json_text(*name);
    bool is_signed = type.is_signed && type.kind != PrintedKind::Pointer;
    return is_signed ? Json(number) : Json(static_cast<uint64_t>(number));
  }

  Json members(const PrintedType& type, uint64_t offset, size_t depth) const {
    Json result = Json::object();
    for (size_t i = 0; i < type.members.size(); ++i) {
      const PrintedMember& member = type.members[i];
      if (!object_.has_member(type, i, offset)) continue;
      uint64_t start = offset + member.bit_offset / 8;
      if (!object_.is_shown(start)) break;
      const PrintedType& of = object_.type(member.type);
      Json one = member.bit_size != 0 ? number(of, object_.bits(member, offset)) : value(of, start, depth + 1);
      // The members of an unnamed struct become members of the enclosing object.
      if (!member.name.empty()) result[json_text(member.name)] = std::move(one);
      else if (one.is_object()) result.update(one);
    }
    return result;
  }

  Json array(const PrintedType& type, uint64_t offset, size_t depth) const {
    const PrintedType& element = object_.type(type.element);
    if (element.is_char) {
      uint64_t begin = std::min<uint64_t>(offset, object_.bytes().size());
      uint64_t size = std::min<uint64_t>(type.count, object_.bytes().size() - begin);
      return json_text(text_of(object_.bytes().subspan(begin, size)));
    }
    Json result = Json::array();
    if (element.size == 0) return result;
    for (uint64_t i = 0; i < type.count && object_.is_shown(offset + i * element.size); ++i)
      result.push_back(value(element, offset + i * element.size, depth + 1));
    return result;
  }

  const PrintedObject& object_;
};

}  // namespace

Json printed_json(const RecordedAction& call, const ActionServices& services) {
  auto [pointer, value] = printed_fields(call);
  if (!value) return nullptr;
  Json result = Json::object();
  if (is_numbered_text(value->kind)) {
    result["type"] = "string";
    result["value"] = json_text(services.values.text(*value, call.record));
    return result;
  }
  PrintedObject object = printed_object(call, services, *value);
  const PrintedType& type = object.type(value->printed_type);
  result["type"] = json_text(type.name);
  if (pointer) result["address"] = static_cast<uint64_t>(load_integer(*pointer, call.record));
  result["value"] = ObjectJson(object).value(type, 0, 0);
  return result;
}

}  // namespace dscope
