// The record fields of print(), tracemem() and pcap(), and the descriptions of types for print().
#include <algorithm>

#include "contract/host.h"
#include "frontend/plan/plan_fields.h"
#include "frontend/semantics/compatibility.h"
#include "frontend/semantics/number_group.h"

namespace dscope {

namespace {

PrintedKind printed_kind(const Type& type) {
  switch (type.kind) {
    case TypeKind::Struct:
    case TypeKind::Union: return PrintedKind::Object;
    case TypeKind::Array: return PrintedKind::Array;
    case TypeKind::Integer: return PrintedKind::Integer;
    case TypeKind::Enum: return PrintedKind::Enum;
    case TypeKind::Pointer: return PrintedKind::Pointer;
    case TypeKind::String: return PrintedKind::String;
    case TypeKind::Error:
    case TypeKind::Void:
    case TypeKind::Float:
    case TypeKind::Typedef:
    case TypeKind::Function:
    case TypeKind::Forward:
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr:
    case TypeKind::Dynamic: return PrintedKind::Nothing;
  }
  return PrintedKind::Nothing;
}

// Returns "struct" for "struct (anon)".
std::string without_anon(std::string spelling) {
  constexpr std::string_view anon = " (anon)";
  if (size_t at = spelling.find(anon); at != std::string::npos) spelling.erase(at, anon.size());
  return spelling;
}

}  // namespace

// print(pointer): the pointer and its target. print() of any other value: the value.
std::vector<Field> FieldPlanner::special_fields_Print(const ClauseInstance& clause, const Call& call) {
  const Expr& expr = *call.arguments[0];
  TypeId type = meaning_.info(clause, expr).type;
  if (!types_.is_pointer(type)) {
    Field field = argument(clause, expr, false);
    field.printed_type = printed_type(type);
    const TranslatedObject* object = meaning_.info(clause, expr).translated;
    if (object != nullptr && object->operand == nullptr) name_arguments(clause, *object, field.printed_type);
    return {std::move(field)};
  }
  TypeId target = target_of(types_, type);
  Field object{.kind = FieldKind::Bytes,
               .size = size_within_bounds(types_.size_of(target)),
               .printed_type = printed_type(target),
               .type = types_.spell(target)};
  return {{.size = 8, .type = types_.spell(type)}, std::move(object)};
}

// print(args): arguments that are 0 matter as much as others, and numbers of a group have names.
void FieldPlanner::name_arguments(const ClauseInstance& clause, const TranslatedObject& arguments, int32_t printed) {
  auto index = static_cast<size_t>(printed);
  plan_.printed_types[index].shows_zeros = true;
  for (size_t i = 0; i < arguments.members.size(); ++i) {
    const TranslatedMember& member = arguments.members[i];
    if (!types_.is_integer(member.target.type)) continue;
    auto numbers = number_group(meaning_, clause, *member.value);
    if (numbers) plan_.printed_types[index].members[i].type = printed_numbers(*numbers, value(member.target.type, 0));
  }
}

int32_t FieldPlanner::printed_numbers(NumberGroup numbers, const Field& field) {
  PrintedType printed{.kind = PrintedKind::Enum,
                      .name = field.type,
                      .size = field.size,
                      .is_signed = field.is_signed,
                      .is_flag_set = are_flags(numbers)};
  for (const NumberName& each : names_of(numbers))
    printed.enumerators.push_back({.name = std::string(each.name), .value = each.value});
  plan_.printed_types.push_back(std::move(printed));
  return static_cast<int32_t>(plan_.printed_types.size() - 1);
}

int32_t FieldPlanner::printed_type(TypeId id) {
  if (auto known = printed_types_.find(id.index); known != printed_types_.end()) return known->second;
  host_.complete_type(types_, id);
  auto index = static_cast<int32_t>(plan_.printed_types.size());
  printed_types_[id.index] = index;
  const Type& type = types_.resolved(id);
  PrintedType printed{.kind = printed_kind(type),
                      .name = without_anon(types_.spell(id)),
                      .size = types_.size_of(id),
                      .is_signed = types_.is_signed_integer(id)};
  printed.is_char = printed.name == "char";
  printed.enumerators = type.enumerators;
  // Objects with enumerators print only the members that exist (PrintedObject::has_member).
  if (printed.kind == PrintedKind::Object && !type.enumerators.empty()) {
    printed.count = type.count;
    printed.shows_zeros = true;
  }
  plan_.printed_types.push_back(std::move(printed));
  if (type.kind == TypeKind::Array) {
    int32_t element = printed_type(type.base);
    plan_.printed_types[static_cast<size_t>(index)].element = element;
    plan_.printed_types[static_cast<size_t>(index)].count = type.count;
  } else if (types_.is_struct_or_union(id)) {
    for (size_t i = 0; i < types_.resolved(id).members.size(); ++i) {
      TypeMember member = types_.resolved(id).members[i];
      PrintedMember entry{.name = member.name,
                          .type = printed_type(member.type),
                          .bit_offset = member.bit_offset,
                          .bit_size = member.bit_size};
      plan_.printed_types[static_cast<size_t>(index)].members.push_back(std::move(entry));
    }
  }
  return index;
}

// pcap(): the time, the number of recorded bytes, the packet's length, its protocol and its bytes.
std::vector<Field> FieldPlanner::special_fields_Pcap(const ClauseInstance&, const Call&) {
  auto size = static_cast<uint32_t>(std::clamp<int64_t>(options_.number(OptionId::Pcapsize), 8, 64 << 10));
  return {{.size = 8, .type = "uint64_t"},
          {.size = 4, .type = "uint32_t"},
          {.size = 4, .type = "uint32_t"},
          {.size = 4, .is_signed = true, .type = "int"},
          {.kind = FieldKind::Bytes, .size = size, .type = "char []"}};
}

// tracemem(address, size [, dynamic size]): the bytes, and the dynamic size if there is one.
std::vector<Field> FieldPlanner::special_fields_Tracemem(const ClauseInstance& clause, const Call& call) {
  uint64_t size = meaning_.info(clause, *call.arguments[1]).constant.value_or(0);
  std::vector<Field> fields{{.kind = FieldKind::Bytes, .size = size_within_bounds(size), .type = "char []"}};
  if (call.arguments.size() > 2) fields.push_back(argument(clause, *call.arguments[2], false));
  return fields;
}

}  // namespace dscope
