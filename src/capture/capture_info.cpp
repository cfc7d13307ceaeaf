#include "capture/capture_info.h"

#include <algorithm>
#include <optional>

namespace dscope {

namespace {

// Copies types of a capture into a TypeTable. Structs may refer to themselves, so that a struct gets its id before its
// members are copied.
class TypeImport {
 public:
  TypeImport(const CaptureInfo& info, TypeTable& types, std::map<uint32_t, TypeId>& imported)
      : info_(info), types_(types), imported_(imported) {}

  TypeId import(TypeId id) {
    if (id.index >= info_.types.size() || depth_ > max_depth) return TypeTable::error_type();
    if (auto found = imported_.find(id.index); found != imported_.end()) return found->second;
    const Type& type = info_.types[id.index];
    if (auto own = own_type(type)) return imported_[id.index] = *own;
    Deeper deeper{depth_};
    if (type.kind == TypeKind::Pointer || type.kind == TypeKind::Array) return import_reference(id, type);
    TypeId added = types_.add(shallow(type));
    imported_[id.index] = added;
    fill(added, type);
    return added;
  }

 private:
  static constexpr int max_typedefs = 64;
  static constexpr int max_depth = 1000;  // a chain of pointers in a malicious file must not exhaust the stack
  struct Deeper {
    explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    int& depth_;
  };

  // The type of D itself that this is, if the table of the compiler has it.
  std::optional<TypeId> own_type(const Type& type) const {
    switch (type.kind) {
      case TypeKind::Error: return TypeTable::error_type();
      case TypeKind::Void: return types_.void_type();
      case TypeKind::String: return types_.string_type();
      case TypeKind::Dynamic: return types_.dynamic_type();
      case TypeKind::Typedef:
        // A recorded object has the members that were recorded, not all.
        if (is_object(type)) return std::nullopt;
        break;
      case TypeKind::Integer:
      case TypeKind::Float: break;
      default: return std::nullopt;
    }
    std::optional<TypeId> found = type.name.empty() ? std::nullopt : types_.find(type.name);
    bool is_same = found && types_.get(*found).kind == type.kind && types_.size_of(*found) == size_of(type, 0);
    return is_same && type.is_userland == types_.get(*found).is_userland ? found : std::nullopt;
  }

  bool is_object(const Type& type) const {
    const Type* named = &type;
    for (int depth = 0; named->kind == TypeKind::Typedef && depth < max_typedefs; ++depth)
      named = &info_.types[named->base.index];
    return named->kind != TypeKind::Integer && named->kind != TypeKind::Float && named->kind != TypeKind::Pointer;
  }

  // Bytes of a type of the capture, as far as typedefs lead to one with a size.
  uint64_t size_of(const Type& type, int depth) const {
    if (type.kind != TypeKind::Typedef || depth > max_typedefs) return type.size;
    return size_of(info_.types[type.base.index], depth + 1);
  }

  TypeId import_reference(TypeId id, const Type& type) {
    // A circle of pointers without a struct is no type of C.
    imported_[id.index] = TypeTable::error_type();
    TypeId base = import(type.base);
    constexpr uint32_t short_pointer = 4, pointer = 8;
    TypeId result =
        type.kind == TypeKind::Array
            ? types_.array_of(base, type.count)
            : types_.pointer_to(base, type.is_userland, type.size == short_pointer ? short_pointer : pointer);
    return imported_[id.index] = result;
  }

  // Without what refers to other types.
  static Type shallow(const Type& type) {
    Type copy = type;
    copy.base = {};
    copy.members.clear();
    copy.parameters.clear();
    copy.origin = 0;
    copy.is_complete = true;
    return copy;
  }

  void fill(TypeId id, const Type& type) {
    TypeId base = import(type.base);
    std::vector<TypeMember> members = type.members;
    for (TypeMember& member : members) member.type = import(member.type);
    std::vector<TypeId> parameters;
    for (TypeId parameter : type.parameters) parameters.push_back(import(parameter));
    Type& added = types_.edit(id);
    added.base = base;
    added.members = std::move(members);
    added.parameters = std::move(parameters);
  }

  const CaptureInfo& info_;
  TypeTable& types_;
  std::map<uint32_t, TypeId>& imported_;
  int depth_ = 0;
};

// Types refer to others, perhaps to themselves: what lies deeper is taken for the same.
bool is_same_type(const CaptureInfo& info, TypeId first, TypeId second, int depth = 0) {
  constexpr int max_depth = 8;
  if (first == second || depth > max_depth) return true;
  const Type &a = info.types[first.index], &b = info.types[second.index];
  auto is_same_member = [&](const TypeMember& left, const TypeMember& right) {
    return left.name == right.name && left.bit_offset == right.bit_offset && left.bit_size == right.bit_size &&
           is_same_type(info, left.type, right.type, depth + 1);
  };
  return a.kind == b.kind && a.name == b.name && a.size == b.size && a.is_signed == b.is_signed &&
         a.is_userland == b.is_userland && a.count == b.count && is_same_type(info, a.base, b.base, depth + 1) &&
         std::ranges::equal(a.members, b.members, is_same_member);
}

}  // namespace

bool is_same_probe(const CaptureInfo& info, const CapturedProbe& a, const CapturedProbe& b) {
  auto is_same_value = [&](const CapturedValue& left, const CapturedValue& right) {
    return left.type_text == right.type_text && left.name == right.name && left.word == right.word &&
           is_same_type(info, left.type, right.type);
  };
  return a.provider == b.provider && a.module == b.module && a.function == b.function && a.name == b.name &&
         a.arg_count == b.arg_count && a.has_typed_args == b.has_typed_args &&
         std::ranges::equal(a.args, b.args, is_same_value);
}

bool CaptureInfo::has(CapturePart part) const { return std::ranges::find(parts, part) != parts.end(); }

const CapturedSymbol* CaptureInfo::find_symbol(uint32_t pid, uint64_t address) const {
  auto found = symbols.find({pid, address});
  return found != symbols.end() ? &found->second : nullptr;
}

TypeId import_captured_type(const CaptureInfo& info, TypeId id, TypeTable& types,
                            std::map<uint32_t, TypeId>& imported) {
  return TypeImport{info, types, imported}.import(id);
}

}  // namespace dscope
