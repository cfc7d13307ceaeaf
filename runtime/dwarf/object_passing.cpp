#include "runtime/dwarf/object_passing.h"

#include <dwarf.h>

#include <initializer_list>

namespace dscope {
namespace {

constexpr int max_class_depth = 8;  // classes within classes

bool has_tag(const LibDw& dw, Dwarf_Die die, std::initializer_list<int> tags) {
  int tag = dw.dwarf_tag(&die);
  for (int wanted : tags)
    if (tag == wanted) return true;
  return false;
}

// The type without typedefs and qualifiers.
std::optional<Dwarf_Die> unqualified(const LibDw& dw, std::optional<Dwarf_Die> type) {
  while (type && has_tag(dw, *type, {DW_TAG_typedef, DW_TAG_const_type, DW_TAG_volatile_type}))
    type = dw.reference(*type, DW_AT_type);
  return type;
}

// Whether a constructor is a copy or move constructor: its first parameter after `this` is a reference to the class.
bool is_copy_constructor(const LibDw& dw, const Dwarf_Die& constructor, Dwarf_Die owner) {
  int position = 0;
  for (auto child = dw.first_child(constructor); child; child = dw.next_sibling(*child)) {
    if (!has_tag(dw, *child, {DW_TAG_formal_parameter}) || position++ != 1) continue;
    auto type = dw.reference(*child, DW_AT_type);
    if (!type || !has_tag(dw, *type, {DW_TAG_reference_type, DW_TAG_rvalue_reference_type})) return false;
    auto target = unqualified(dw, dw.reference(*type, DW_AT_type));
    return target && dw.dwarf_dieoffset(&*target) == dw.dwarf_dieoffset(&owner);
  }
  return false;
}

// Whether a member function makes its class non-trivial: a user-written destructor, copy or move constructor, or any
// virtual function.
bool is_non_trivial(const LibDw& dw, const Dwarf_Die& function, const Dwarf_Die& owner) {
  if (dw.has(function, DW_AT_virtuality)) return true;
  bool is_generated = dw.has(function, DW_AT_artificial) || dw.has(function, DW_AT_deleted) ||
                      dw.number(function, DW_AT_defaulted) == DW_DEFAULTED_in_class;
  if (is_generated) return false;
  std::string_view name = dw.name(function), class_name = dw.name(owner);
  if (name.starts_with('~')) return true;
  return name == class_name.substr(0, class_name.find('<')) && is_copy_constructor(dw, function, owner);
}

bool is_class_by_reference(const LibDw& dw, const std::optional<Dwarf_Die>& type, int depth) {
  auto object = unqualified(dw, type);
  if (!object || depth > max_class_depth) return false;
  if (has_tag(dw, *object, {DW_TAG_array_type}))
    return is_class_by_reference(dw, dw.reference(*object, DW_AT_type), depth + 1);
  if (!has_tag(dw, *object, {DW_TAG_structure_type, DW_TAG_class_type, DW_TAG_union_type})) return false;
  if (auto convention = dw.number(*object, DW_AT_calling_convention)) return *convention == DW_CC_pass_by_reference;
  for (auto child = dw.first_child(*object); child; child = dw.next_sibling(*child)) {
    if (has_tag(dw, *child, {DW_TAG_subprogram}) && is_non_trivial(dw, *child, *object)) return true;
    if (has_tag(dw, *child, {DW_TAG_inheritance}) && dw.has(*child, DW_AT_virtuality)) return true;
    bool is_static = dw.has(*child, DW_AT_external);
    if (has_tag(dw, *child, {DW_TAG_member, DW_TAG_inheritance}) && !is_static &&
        is_class_by_reference(dw, dw.reference(*child, DW_AT_type), depth + 1))
      return true;
  }
  return false;
}

}  // namespace

bool is_passed_by_reference(const LibDw& dw, const Dwarf_Die& type) { return is_class_by_reference(dw, type, 0); }

}  // namespace dscope
