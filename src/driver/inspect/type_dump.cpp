#include "driver/inspect/type_dump.h"

#include "support/format.h"

namespace dscope {

namespace {

std::string member_line(const TypeTable& types, const TypeMember& member) {
  std::string width = member.bit_size == 0 ? "" : fmt::format(" : {}", member.bit_size);
  return fmt::format("\t{} {}{};\t/* {} */\n", types.spell(member.type), member.name, width, member.bit_offset / 8);
}

std::string definition(const TypeTable& types, TypeId id) {
  const Type& type = types.get(id);
  std::string text;
  switch (type.kind) {
    case TypeKind::Struct:
    case TypeKind::Union:
      if (!type.is_complete) return fmt::format("{};\n", types.spell(id));
      for (const TypeMember& member : type.members) text += member_line(types, member);
      return fmt::format("{} {{\t/* {} bytes */\n{}}};\n", types.spell(id), type.size, text);
    case TypeKind::Enum:
      for (const TypeEnumerator& enumerator : type.enumerators)
        text += fmt::format("\t{} = {},\n", enumerator.name, enumerator.value);
      return fmt::format("{} {{\n{}}};\n", types.spell(id), text);
    case TypeKind::Typedef: return fmt::format("typedef {} {};\n", types.spell(type.base), type.name);
    case TypeKind::Forward: return fmt::format("{};\n", types.spell(id));
    case TypeKind::Error:
    case TypeKind::Void:
    case TypeKind::Integer:
    case TypeKind::Float:
    case TypeKind::Pointer:
    case TypeKind::Array:
    case TypeKind::Function:
    case TypeKind::String:
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr:
    case TypeKind::Dynamic: return "";
  }
  return "";
}

}  // namespace

std::string dump_types(const TypeTable& types, TypeOrigin origin) {
  std::string text;
  for (uint32_t i = 0; i < types.size(); ++i) {
    const Type& type = types.get({i});
    bool is_of_kernel = type.origin != 0;
    if (!type.name.empty() && is_of_kernel == (origin == TypeOrigin::Kernel)) text += definition(types, {i});
  }
  return text;
}

}  // namespace dscope
