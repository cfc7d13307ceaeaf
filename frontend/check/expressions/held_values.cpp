#include "frontend/check/expressions/held_values.h"

#include <algorithm>

#include "frontend/check/expressions/composed_struct.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/translated_objects.h"

namespace dscope {

namespace {

// Numbers of a vector that print() shows, other elements, and the size of a structure that it composes.
constexpr uint64_t max_numbers = 8, max_elements = 4, max_composed_bytes = 2048, max_copied_bytes = 256;

}  // namespace

// ---------------------------------------------------------------- expressions over members

Expr* HeldValues::literal(const Expr& at, uint64_t value) {
  return expansions_.make(at.at, IntLiteral{.value = value});
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

Expr* HeldValues::cast(Expr& operand, TypeId type) {
  return expansions_.make(operand.at, Cast{.operand = &operand, .known_type = type});
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
  if (!dialect().has_copyinstr_size_without_terminator())
    size = expansions_.make(object.at, Binary{.op = BinaryOp::Add, .lhs = size, .rhs = literal(object, 1)});
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
  if (layouts_.find(object) == nullptr && !has_held_member(object, max_depth)) return nullptr;
  Expr* at = expansions_.make(pointer.at, Unary{.op = UnaryOp::Deref, .operand = expansions_.copy(pointer)});
  expressions_.check(*at);
  return failed() ? nullptr : at;
}

const Expr* HeldValues::text_of(const Expr& object) {
  if (const Expr* at = target(object)) return text_of(*at);
  const HeldType* held = layouts_.find(info(object).type);
  if (held == nullptr || !held->is_text()) return nullptr;
  const Expr* found = text(object, *held);
  expressions_.check(*found);
  return failed() ? nullptr : found;
}

// ---------------------------------------------------------------- elements

Expr* HeldValues::count(const Expr& object, const HeldType& held) {
  auto difference = [&](Expr* end, Expr* start) {
    return expansions_.make(object.at, Binary{.op = BinaryOp::Subtract, .lhs = end, .rhs = start});
  };
  auto position = [&](std::string_view iterator, std::string_view part) {
    return member(object, fmt::format("{}.{}", iterator, part));
  };
  switch (held.kind) {
    case HeldKind::Range: return difference(member(object, held.extent), member(object, held.pointer));
    case HeldKind::Array: {
      TypeId array = *layouts_.member_type(info(object).type, held.pointer);
      return literal(object, types_.resolved(array).count);
    }
    case HeldKind::Blocks: {
      Expr* blocks = difference(position(held.extent, "_M_node"), position(held.pointer, "_M_node"));
      Expr* block_size = difference(position(held.pointer, "_M_last"), position(held.pointer, "_M_first"));
      Expr* whole = expansions_.make(object.at, Binary{.op = BinaryOp::Multiply, .lhs = blocks, .rhs = block_size});
      Expr* last = difference(position(held.extent, "_M_cur"), position(held.extent, "_M_first"));
      Expr* first = difference(position(held.pointer, "_M_cur"), position(held.pointer, "_M_first"));
      Expr* end = expansions_.make(object.at, Binary{.op = BinaryOp::Add, .lhs = whole, .rhs = last});
      return difference(end, first);
    }
    default: return member(object, held.extent);
  }
}

// A pointer to the node of an element. Each follows from the one before.
Expr* HeldValues::node(const Expr& object, const HeldType& held, uint64_t index) {
  if (index == 0) return member(object, held.pointer);
  Expr* before = node(object, held, index - 1);
  if (!held.next.empty())
    return expansions_.make(object.at, Member{.base = before, .member = std::string{held.next}, .is_arrow = true});
  Expr* callee = expansions_.make(object.at, Name{VariableScope::Global, "__tree_next"});
  Expr* address = cast(*before, types_.integer(sizeof(uint64_t), false));
  return expansions_.make(object.at, Call{.callee = callee, .arguments = {address, literal(object, held.links)}});
}

// The first block is not full if elements were removed at its start.
Expr* HeldValues::element_in_block(const Expr& object, const HeldType& held, uint64_t index) {
  auto position = [&](std::string_view part) { return member(object, fmt::format("{}.{}", held.pointer, part)); };
  auto operation = [&](BinaryOp op, Expr* lhs, Expr* rhs) {
    return expansions_.make(object.at, Binary{.op = op, .lhs = lhs, .rhs = rhs});
  };
  auto in_first = [&] { return operation(BinaryOp::Subtract, position("_M_last"), position("_M_cur")); };
  Expr* next_block = expansions_.make(object.at, Index{.base = position("_M_node"), .arguments = {literal(object, 1)}});
  Expr* in_next = operation(BinaryOp::Subtract, literal(object, index), in_first());
  Expr* address = expansions_.make(
      object.at, Ternary{.condition = operation(BinaryOp::Greater, in_first(), literal(object, index)),
                         .then_value = operation(BinaryOp::Add, position("_M_cur"), literal(object, index)),
                         .else_value = operation(BinaryOp::Add, next_block, in_next)});
  return expansions_.make(object.at, Unary{.op = UnaryOp::Deref, .operand = address});
}

Expr* HeldValues::element(const Expr& object, const HeldType& held, TypeId type, uint64_t index) {
  if (held.kind == HeldKind::Blocks) return element_in_block(object, held, index);
  TypeId pointer = types_.pointer_to(type, true);
  if (held.kind == HeldKind::Nodes) {
    uint64_t alignment = layouts_.alignment_of(type);
    uint64_t offset = (held.offset + alignment - 1) / alignment * alignment;
    Expr* start = cast(*node(object, held, index), types_.integer(sizeof(uint64_t), false));
    Expr* address =
        expansions_.make(object.at, Binary{.op = BinaryOp::Add, .lhs = start, .rhs = literal(object, offset)});
    return expansions_.make(object.at, Unary{.op = UnaryOp::Deref, .operand = cast(*address, pointer)});
  }
  Expr* base = member(object, held.pointer);
  if (!held.element.empty()) base = cast(*base, pointer);
  return expansions_.make(object.at, Index{.base = base, .arguments = {literal(object, index)}});
}

// ---------------------------------------------------------------- structures that print() shows

HeldValues::Composition HeldValues::composition_of(const Expr& object) const {
  return {.type = {.kind = TypeKind::Struct, .name = types_.spell(info(object).type)}, .object = {}};
}

// Appends a member. Returns false if there is no room for it.
bool HeldValues::add(Composition& whole, std::string name, const Expr* value, const Expr* condition) {
  TypeId own = info(*value).type;
  uint64_t size = types_.size_of(own);
  bool is_copy = info(*value).translated == nullptr && types_.is_struct_or_union(own);
  bool fits = size != 0 && size <= max_composed_bytes && whole.type.size + size <= max_composed_bytes;
  if (!fits || (is_copy && size > max_copied_bytes)) return false;
  if (condition != nullptr) expressions_.check(*condition);
  const TypeMember& added = append_member(types_, whole.type, std::move(name), own);
  whole.object.members.push_back(
      {.target = {.type = added.type, .bit_offset = added.bit_offset}, .value = value, .condition = condition});
  return true;
}

std::optional<ExprInfo> HeldValues::finished(Composition whole) {
  if (failed() || whole.object.members.empty()) return std::nullopt;
  whole.object.type = types_.add(std::move(whole.type));
  ExprInfo result = translated_objects_.add(whole.object);
  result.type = whole.object.type;
  result.space = Space::Storage;
  return result;
}

// A structure of the number of elements and the first ones: those that exist, by the number.
std::optional<ExprInfo> HeldValues::elements(const Expr& object, const HeldType& held, int depth) {
  Composition whole = composition_of(object);
  whole.type.count = 1;
  auto as_size = [&](Expr* number) {
    Expr* size = cast(*number, *types_.find("size_t"));
    expressions_.check(*size);
    return size;
  };
  const Expr* size = as_size(count(object, held));
  if (failed() || !add(whole, "size", size)) return std::nullopt;
  if (held.kind == HeldKind::Count) return finished(std::move(whole));
  auto type = layouts_.element_type(info(object).type, held);
  if (!type || types_.size_of(*type) == 0 || types_.resolved(*type).kind == TypeKind::Float) return std::nullopt;
  bool is_number = types_.is_scalar(*type) && held.kind != HeldKind::Nodes;
  uint64_t limit = is_number ? max_numbers : max_elements;
  if (held.kind == HeldKind::Array)
    limit = std::min<uint64_t>(limit, types_.resolved(*layouts_.member_type(info(object).type, held.pointer)).count);
  for (uint64_t i = 0; i < limit && !failed(); ++i) {
    const Expr* each = element(object, held, *type, i);
    expressions_.check(*each);
    if (failed()) break;
    each = shown(*each, depth - 1);
    Expr* exists = expansions_.make(
        object.at, Binary{.op = BinaryOp::Greater, .lhs = as_size(count(object, held)), .rhs = literal(object, i)});
    std::string name = fmt::format("[{}]", i);
    if (failed() || !add(whole, name, each, exists)) break;
    whole.type.enumerators.push_back({.name = std::move(name), .value = static_cast<int64_t>(i)});
  }
  // Without an element, the structure would be one whose members all exist.
  if (whole.type.enumerators.empty()) whole.type.count = 0;
  return finished(std::move(whole));
}

std::optional<ExprInfo> HeldValues::optional(const Expr& object, const HeldType& held, int depth) {
  Composition whole = composition_of(object);
  whole.type.count = 1;
  Expr* has_value = member(object, held.flag);
  expressions_.check(*has_value);
  Expr* value = member(object, held.pointer);
  expressions_.check(*value);
  if (failed()) return std::nullopt;
  bool fits =
      add(whole, "has_value", has_value) && add(whole, "value", shown(*value, depth - 1), member(object, held.flag));
  whole.type.enumerators.push_back({.name = "value", .value = 0});
  return fits ? finished(std::move(whole)) : std::nullopt;
}

// An alternative of std::variant: the first, or the first of the others.
Expr* HeldValues::alternative(const Expr& object, const HeldType& held, TypeId type, uint64_t index) {
  size_t dot = held.extent.rfind('.');
  std::string path{held.extent.substr(0, dot)};
  for (uint64_t i = 0; i < index; ++i) path += held.extent.substr(dot);
  path += held.pointer.substr(dot);
  auto own = layouts_.member_type(info(object).type, path);
  if (!own) return nullptr;
  Expr* place = member(object, path);
  if (types_.resolve(*own) == types_.resolve(type)) return place;
  // The bytes of an object that has a destructor.
  Expr* address = expansions_.make(object.at, Unary{.op = UnaryOp::AddressOf, .operand = place});
  return expansions_.make(object.at,
                          Unary{.op = UnaryOp::Deref, .operand = cast(*address, types_.pointer_to(type, true))});
}

std::optional<ExprInfo> HeldValues::variant(const Expr& object, const HeldType& held, int depth) {
  Composition whole = composition_of(object);
  auto index = [&] {
    Expr* number = member(object, held.flag);
    expressions_.check(*number);
    return number;
  };
  if (!add(whole, "index", index()) || failed()) return std::nullopt;
  for (uint64_t i = 0; i < max_numbers && !failed(); ++i) {
    auto type = layouts_.argument(info(object).type, i);
    const Expr* value = type ? alternative(object, held, *type, i) : nullptr;
    if (value == nullptr) break;
    expressions_.check(*value);
    if (failed()) return std::nullopt;
    Expr* exists =
        expansions_.make(object.at, Binary{.op = BinaryOp::Equal, .lhs = index(), .rhs = literal(object, i)});
    std::string name = fmt::format("[{}]", i);
    whole.type.enumerators.push_back({.name = name, .value = static_cast<int64_t>(i)});
    if (types_.size_of(*type) > 1 || types_.is_scalar(*type))
      add(whole, std::move(name), shown(*value, depth - 1), exists);
  }
  return finished(std::move(whole));
}

// A smart pointer in a structure: the address, and the structure there.
std::optional<ExprInfo> HeldValues::pointed(const Expr& object, const HeldType& held, int depth) {
  TypeId target = target_of(types_, *layouts_.member_type(info(object).type, held.pointer));
  host_.complete_type(types_, target);
  if (depth <= 1 || !types_.is_struct_or_union(target) || types_.size_of(target) == 0) return std::nullopt;
  Composition whole = composition_of(object);
  whole.type.count = 1;
  Expr* pointer = member(object, held.pointer);
  expressions_.check(*pointer);
  Expr* value = expansions_.make(object.at, Unary{.op = UnaryOp::Deref, .operand = member(object, held.pointer)});
  expressions_.check(*value);
  if (failed()) return std::nullopt;
  Expr* exists = expansions_.make(
      object.at, Binary{.op = BinaryOp::NotEqual, .lhs = member(object, held.pointer), .rhs = literal(object, 0)});
  bool fits = add(whole, "pointer", pointer) && add(whole, "value", shown(*value, depth - 1), exists);
  whole.type.enumerators.push_back({.name = "value", .value = 0});
  return fits ? finished(std::move(whole)) : std::nullopt;
}

bool HeldValues::has_held_member(TypeId id, int depth) {
  id = types_.resolve(id);
  if (types_.get(id).kind != TypeKind::Struct || !types_.get(id).is_userland || depth == 0) return false;
  host_.complete_type(types_, id);
  for (size_t i = 0; i < types_.get(id).members.size(); ++i) {
    const TypeMember each = types_.get(id).members[i];
    if (each.bit_size != 0 || each.name.empty()) continue;
    if (layouts_.find(each.type) != nullptr || has_held_member(each.type, depth - 1)) return true;
  }
  return false;
}

// Whether an enum of Rust is this variant; null if it is always.
Expr* HeldValues::is_variant(const Expr& object, TypeId type, const TypeMember& variant) {
  Expr* result = nullptr;
  auto combine = [&](const TypeEnumerator& each, BinaryOp op) {
    Expr* number = member(object, types_.get(type).members.front().name);
    Expr* test = expansions_.make(
        object.at, Binary{.op = op, .lhs = number, .rhs = literal(object, static_cast<uint64_t>(each.value))});
    result = result == nullptr
                 ? test
                 : expansions_.make(object.at, Binary{.op = BinaryOp::LogicalAnd, .lhs = result, .rhs = test});
  };
  const std::vector<TypeEnumerator> known = types_.get(type).enumerators;
  auto own = std::ranges::find(known, variant.name, &TypeEnumerator::name);
  if (own != known.end()) combine(*own, BinaryOp::Equal);
  else
    for (const TypeEnumerator& each : known) combine(each, BinaryOp::NotEqual);
  return result;
}

// A structure like the object's, with what its members hold in their place.
std::optional<ExprInfo> HeldValues::structure(const Expr& object, int depth) {
  TypeId id = types_.resolve(info(object).type);
  Composition whole = composition_of(object);
  whole.type.enumerators = types_.get(id).enumerators;
  bool is_enum = !whole.type.enumerators.empty();
  for (size_t i = 0; i < types_.get(id).members.size() && !failed(); ++i) {
    const TypeMember each = types_.get(id).members[i];
    if (each.name.empty()) continue;
    const Expr* value = member(object, each.name);
    expressions_.check(*value);
    if (failed()) break;
    if (each.bit_size == 0) value = shown(*value, is_enum ? depth : depth - 1);
    if (failed()) break;
    add(whole, each.name, value, is_enum && i != 0 ? is_variant(object, id, each) : nullptr);
  }
  return finished(std::move(whole));
}

std::optional<ExprInfo> HeldValues::held_object(const Expr& object, const HeldType& held, int depth) {
  switch (held.kind) {
    case HeldKind::Pointer: return pointed(object, held, depth);
    case HeldKind::Optional: return optional(object, held, depth);
    case HeldKind::Variant: return variant(object, held, depth);
    default: return elements(object, held, depth);
  }
}

// The expression that print() shows in place of a typed one.
const Expr* HeldValues::shown(const Expr& object, int depth) {
  TypeId id = info(object).type;
  const HeldType* held = layouts_.find(id);
  if (held != nullptr && held->is_text()) {
    const Expr* found = text_of(object);
    return found != nullptr ? found : &object;
  }
  std::optional<ExprInfo> result;
  if (held != nullptr && depth > 0) result = held_object(object, *held, depth);
  else if (held == nullptr && depth > 0 && has_held_member(id, depth)) result = structure(object, depth);
  if (failed()) return &object;
  if (!result && held != nullptr && held->kind == HeldKind::Pointer) {
    const Expr* pointer = member(object, held->pointer);
    expressions_.check(*pointer);
    return failed() ? &object : pointer;
  }
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
  // print() itself shows the object at a pointer, unless the object holds values.
  const HeldType* held = layouts_.find(info(*object).type);
  bool is_plain_pointer = false;
  if (held != nullptr && held->kind == HeldKind::Pointer) {
    TypeId pointed = target_of(types_, *layouts_.member_type(info(*object).type, held->pointer));
    is_plain_pointer = layouts_.find(pointed) == nullptr && !has_held_member(pointed, max_depth);
  }
  const Expr* found = is_whole ? shown(*object, is_plain_pointer ? 0 : max_depth) : text_of(argument);
  if (failed() || found == nullptr || found == &argument) return;
  ExprInfo meaning = info(*found);
  if (meaning.translated == nullptr) meaning = expansions_.replacement_info(*found, meaning.type);
  expressions_.store(argument, meaning);
}

}  // namespace dscope
