#include "runtime/dwarf/type_likeness.h"

#include <dwarf.h>

#include <optional>

namespace dscope {

namespace {

constexpr int max_references = 100, max_nesting = 8;

bool is_variant(int tag) { return tag == DW_TAG_variant_part || tag == DW_TAG_variant; }

std::optional<Dwarf_Die> first_member(const LibDw& dw, std::optional<Dwarf_Die> die) {
  auto is_member = [&] {
    int tag = dw.dwarf_tag(&*die);
    return tag == DW_TAG_member || tag == DW_TAG_inheritance || tag == DW_TAG_enumerator || is_variant(tag);
  };
  while (die && !is_member()) die = dw.next_sibling(*die);
  return die;
}

bool is_named_type(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_enumeration_type || tag == DW_TAG_base_type;
}

bool is_same_type(const LibDw& dw, std::optional<Dwarf_Die> one, std::optional<Dwarf_Die> other) {
  for (int i = 0; one && other && i < max_references; ++i) {
    if (one->addr == other->addr) return true;
    int tag = dw.dwarf_tag(&*one);
    bool is_alike = tag == dw.dwarf_tag(&*other) && dw.name(*one) == dw.name(*other) &&
                    dw.number(*one, DW_AT_byte_size) == dw.number(*other, DW_AT_byte_size);
    if (!is_alike) return false;
    if (is_named_type(tag)) return true;
    one = dw.reference(*one, DW_AT_type);
    other = dw.reference(*other, DW_AT_type);
  }
  return !one && !other;
}

bool are_alike_below(const LibDw& dw, const Dwarf_Die& one, const Dwarf_Die& other, int depth) {
  auto a = first_member(dw, dw.first_child(one)), b = first_member(dw, dw.first_child(other));
  while (a && b) {
    bool is_alike = dw.dwarf_tag(&*a) == dw.dwarf_tag(&*b) && dw.name(*a) == dw.name(*b) &&
                    dw.number(*a, DW_AT_data_member_location) == dw.number(*b, DW_AT_data_member_location) &&
                    is_same_type(dw, dw.reference(*a, DW_AT_type), dw.reference(*b, DW_AT_type));
    if (!is_alike) return false;
    if (is_variant(dw.dwarf_tag(&*a)) && (depth == max_nesting || !are_alike_below(dw, *a, *b, depth + 1)))
      return false;
    a = first_member(dw, dw.next_sibling(*a));
    b = first_member(dw, dw.next_sibling(*b));
  }
  return !a && !b;
}

}  // namespace

bool have_same_members(const LibDw& dw, const Dwarf_Die& one, const Dwarf_Die& other) {
  return are_alike_below(dw, one, other, 0);
}

}  // namespace dscope
