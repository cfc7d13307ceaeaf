#include "frontend/check/expressions/held_values.h"

#include <algorithm>

#include "contract/types/member.h"
#include "frontend/check/expressions/composed_struct.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/translated_objects.h"

namespace dscope {

enum class HeldKind : uint8_t { Text, SizedText, ShortText, Range, Sequence, Pointer };

struct HeldType {
  std::string_view name;
  HeldKind kind{};
  std::string_view pointer, extent, flag;
};

namespace {

constexpr HeldType held_types[] = {
#define DS_HELD_TYPE(name, kind, pointer, extent, flag) {name, HeldKind::kind, pointer, extent, flag},
#include "frontend/check/expressions/held_types.def"
#undef DS_HELD_TYPE
};

// Elements of a vector that print() shows, and the size of a structure that it composes.
constexpr uint64_t max_elements = 8, max_texts = 4, max_composed_bytes = 2048, max_copied_bytes = 256;

bool is_text(HeldKind kind) {
  return kind == HeldKind::Text || kind == HeldKind::SizedText || kind == HeldKind::ShortText;
}

std::string_view without_keyword(std::string_view name) {
  size_t blank = name.find(' ');
  bool has_keyword = name.starts_with("struct ") || name.starts_with("union ");
  return has_keyword ? name.substr(blank + 1) : name;
}

bool is_named(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

std::optional<TypeId> HeldValues::member_type(TypeId id, std::string_view path) {
  while (!path.empty()) {
    size_t dot = std::min(path.find('.'), path.size());
    auto found = types_.is_struct_or_union(id) ? find_member(host_, types_, id, path.substr(0, dot)) : std::nullopt;
    if (!found) return std::nullopt;
    id = found->type;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return id;
}

const HeldType* HeldValues::type_of(TypeId id) {
  id = types_.resolve(id);
  if (!types_.is_struct_or_union(id) || !types_.get(id).is_userland) return nullptr;
  std::string name{without_keyword(types_.get(id).name)};
  for (const HeldType& held : held_types) {
    if (!is_named(name, held.name)) continue;
    auto pointer = member_type(id, held.pointer), extent = member_type(id, held.extent);
    if (!pointer || !extent || !member_type(id, held.flag) || !types_.is_pointer(*pointer)) continue;
    bool is_known = !is_text(held.kind) || types_.is_string_compatible(*pointer);
    if (is_known) return &held;
  }
  return nullptr;
}

Expr* HeldValues::member(const Expr& object, std::string_view path) {
  Expr* at = expansions_.copy(object);
  while (!path.empty()) {
    size_t dot = std::min(path.find('.'), path.size());
    at = expansions_.make(object.at, Member{.base = at, .member = std::string{path.substr(0, dot)}});
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return at;
}

Expr* HeldValues::text(const Expr& object, const HeldType& held) {
  Expr* at = member(object, held.pointer);
  if (held.kind == HeldKind::Text) return expansions_.make(object.at, Stringof{at});
  if (held.kind == HeldKind::ShortText) {
    Expr* in_place = expansions_.make(object.at, Stringof{member(object, held.extent)});
    return expansions_.make(object.at, Ternary{.condition = member(object, held.flag),
                                               .then_value = expansions_.make(object.at, Stringof{at}),
                                               .else_value = in_place});
  }
  Expr* size = member(object, held.extent);
  if (!dialect().has_copyinstr_size_without_terminator()) {
    Expr* one = expansions_.make(object.at, IntLiteral{.value = 1});
    size = expansions_.make(object.at, Binary{.op = BinaryOp::Add, .lhs = size, .rhs = one});
  }
  // The address of an empty string need not be one.
  Expr* callee = expansions_.make(object.at, Name{VariableScope::Global, "copyinstr"});
  return expansions_.make(
      object.at, Ternary{.condition = member(object, held.extent),
                         .then_value = expansions_.make(object.at, Call{.callee = callee, .arguments = {at, size}}),
                         .else_value = expansions_.make(object.at, StringLiteral{})});
}

// The object at a pointer to what the table lists or to a structure with such a member; null for other pointers.
const Expr* HeldValues::target(const Expr& pointer) {
  TypeId id = info(pointer).type;
  if (!types_.is_pointer(id)) return nullptr;
  TypeId object = target_of(types_, id);
  host_.complete_type(types_, object);
  if (type_of(object) == nullptr && !has_held_member(object, max_depth)) return nullptr;
  Expr* at = expansions_.make(pointer.at, Unary{.op = UnaryOp::Deref, .operand = expansions_.copy(pointer)});
  expressions_.check(*at);
  return failed() ? nullptr : at;
}

const Expr* HeldValues::text_of(const Expr& object) {
  if (const Expr* at = target(object)) return text_of(*at);
  const HeldType* held = type_of(info(object).type);
  if (held == nullptr || !is_text(held->kind)) return nullptr;
  const Expr* found = text(object, *held);
  expressions_.check(*found);
  return failed() ? nullptr : found;
}

// ---------------------------------------------------------------- print()

Expr* HeldValues::count(const Expr& object, const HeldType& held) {
  Expr* extent = member(object, held.extent);
  if (held.kind != HeldKind::Range) return extent;
  return expansions_.make(object.at,
                          Binary{.op = BinaryOp::Subtract, .lhs = extent, .rhs = member(object, held.pointer)});
}

Expr* HeldValues::element(const Expr& object, const HeldType& held, uint64_t index) {
  Expr* number = expansions_.make(object.at, IntLiteral{.value = index});
  return expansions_.make(object.at, Index{.base = member(object, held.pointer), .arguments = {number}});
}

ExprInfo HeldValues::composed(TranslatedObject object, Type type) {
  object.type = types_.add(std::move(type));
  ExprInfo result = translated_objects_.add(object);
  result.type = object.type;
  result.space = Space::Storage;
  return result;
}

// A structure of the number of elements and the first ones: those that exist, by the number.
std::optional<ExprInfo> HeldValues::elements(const Expr& object, const HeldType& held) {
  TypeId base = target_of(types_, *member_type(info(object).type, held.pointer));
  const HeldType* inner = type_of(base);
  bool is_text_element = inner != nullptr && is_text(inner->kind);
  if (!types_.is_scalar(base) && !is_text_element) return std::nullopt;
  Type type{.kind = TypeKind::Struct, .name = types_.spell(info(object).type), .count = 1};
  TranslatedObject whole;
  auto add = [&](std::string name, TypeId member_of, const Expr* value) {
    expressions_.check(*value);
    const TypeMember& added = append_member(types_, type, std::move(name), member_of);
    whole.members.push_back({.target = {.type = added.type, .bit_offset = added.bit_offset}, .value = value});
  };
  add("size", *types_.find("size_t"), count(object, held));
  for (uint64_t i = 0; i < (is_text_element ? max_texts : max_elements) && !failed(); ++i) {
    Expr* each = element(object, held, i);
    Expr* none = expansions_.make(object.at, IntLiteral{.value = 0});
    if (is_text_element) {
      expressions_.check(*each);
      if (failed()) break;
      each = text(*each, *inner);
      none = expansions_.make(object.at, StringLiteral{});
    }
    Expr* exists = expansions_.make(object.at, Binary{.op = BinaryOp::Greater,
                                                      .lhs = count(object, held),
                                                      .rhs = expansions_.make(object.at, IntLiteral{.value = i})});
    Expr* value = expansions_.make(object.at, Ternary{.condition = exists, .then_value = each, .else_value = none});
    std::string name = fmt::format("[{}]", i);
    type.enumerators.push_back({.name = name, .value = static_cast<int64_t>(i)});
    add(std::move(name), is_text_element ? types_.string_type() : base, value);
  }
  if (failed()) return std::nullopt;
  return composed(std::move(whole), std::move(type));
}

bool HeldValues::has_held_member(TypeId id, int depth) {
  id = types_.resolve(id);
  if (types_.get(id).kind != TypeKind::Struct || !types_.get(id).is_userland || depth == 0) return false;
  host_.complete_type(types_, id);
  if (!types_.get(id).enumerators.empty()) return false;  // its members exclude each other
  for (size_t i = 0; i < types_.get(id).members.size(); ++i) {
    const TypeMember each = types_.get(id).members[i];
    if (each.bit_size == 0 && !each.name.empty() && (type_of(each.type) || has_held_member(each.type, depth - 1)))
      return true;
  }
  return false;
}

// A structure like the object's, with what its members hold in their place.
std::optional<ExprInfo> HeldValues::structure(const Expr& object, int depth) {
  TypeId id = types_.resolve(info(object).type);
  Type type{.kind = TypeKind::Struct, .name = types_.spell(info(object).type)};
  TranslatedObject whole;
  for (size_t i = 0; i < types_.get(id).members.size() && !failed(); ++i) {
    const TypeMember each = types_.get(id).members[i];
    if (each.name.empty()) continue;
    const Expr* value = member(object, each.name);
    expressions_.check(*value);
    if (failed()) break;
    if (each.bit_size == 0) value = shown(*value, depth);
    TypeId own = info(*value).type;
    uint64_t size = types_.size_of(own);
    bool fits = size != 0 && size <= max_composed_bytes && type.size + size <= max_composed_bytes;
    if (!fits || (info(*value).translated == nullptr && types_.is_struct_or_union(own) && size > max_copied_bytes))
      continue;
    const TypeMember& added = append_member(types_, type, each.name, own);
    whole.members.push_back({.target = {.type = added.type, .bit_offset = added.bit_offset}, .value = value});
  }
  if (failed() || whole.members.empty()) return std::nullopt;
  return composed(std::move(whole), std::move(type));
}

// The expression that print() shows in place of a typed one.
const Expr* HeldValues::shown(const Expr& object, int depth) {
  TypeId id = info(object).type;
  const HeldType* held = type_of(id);
  if (held != nullptr && is_text(held->kind)) {
    const Expr* found = text_of(object);
    return found != nullptr ? found : &object;
  }
  if (held != nullptr && held->kind == HeldKind::Pointer) {
    const Expr* found = member(object, held->pointer);
    expressions_.check(*found);
    return failed() ? &object : found;
  }
  std::optional<ExprInfo> result;
  if (held != nullptr) result = elements(object, *held);
  else if (depth > 0 && has_held_member(id, depth)) result = structure(object, depth - 1);
  if (!result) return &object;
  const Expr* copy = expansions_.copy(object);
  expressions_.store(*copy, *result);
  return copy;
}

void HeldValues::replace(const Expr& argument, bool is_whole) {
  ExprInfo given = info(argument);
  bool is_object = types_.is_struct_or_union(given.type);
  if (is_error(given) || given.translated != nullptr || failed() || (!is_object && !is_whole)) return;
  const Expr* object = is_object ? &argument : target(argument);
  if (object == nullptr) return;
  const Expr* found = is_whole ? shown(*object, max_depth) : text_of(argument);
  if (failed() || found == nullptr || found == &argument) return;
  ExprInfo meaning = info(*found);
  if (meaning.translated == nullptr) meaning = expansions_.replacement_info(*found, meaning.type);
  expressions_.store(argument, meaning);
}

}  // namespace dscope
