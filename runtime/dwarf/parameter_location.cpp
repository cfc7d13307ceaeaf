#include "runtime/dwarf/parameter_location.h"

#include <dwarf.h>

#include <span>

namespace dscope {
namespace {

std::optional<EntryPlace> constant(const LibDw& dw, const Dwarf_Die& parameter) {
  Dwarf_Die entry = parameter;
  Dwarf_Attribute attribute;
  // Not what is written once for several copies: that is a default.
  if (dw.dwarf_attr(&entry, DW_AT_const_value, &attribute) == nullptr) return std::nullopt;
  auto value = dw.constant(parameter, DW_AT_const_value);
  if (!value) return std::nullopt;
  return EntryPlace{.kind = EntryPlace::Kind::Constant, .value = *value};
}

std::optional<unsigned> register_of(const Dwarf_Op& operation) {
  if (operation.atom >= DW_OP_reg0 && operation.atom <= DW_OP_reg31) return operation.atom - DW_OP_reg0;
  bool is_value = operation.atom >= DW_OP_breg0 && operation.atom <= DW_OP_breg31 && operation.number == 0;
  return is_value ? std::optional<unsigned>{operation.atom - DW_OP_breg0} : std::nullopt;
}

std::optional<EntryPlace> place_of(std::span<const Dwarf_Op> operations) {
  std::optional<unsigned> number = register_of(operations[0]);
  bool is_register = operations[0].atom <= DW_OP_reg31 && operations[0].atom >= DW_OP_reg0;
  if (operations.size() == 1 && number)
    return EntryPlace{.kind = is_register ? EntryPlace::Kind::Register : EntryPlace::Kind::Behind, .number = *number};
  if (operations.size() != 2) return std::nullopt;
  if (number && !is_register && operations[1].atom == DW_OP_stack_value)
    return EntryPlace{.kind = EntryPlace::Kind::Register, .number = *number};
  // Kept in the frame, once there is one: where it comes from is a matter of the calling convention.
  bool is_kept_address = operations[0].atom == DW_OP_fbreg && operations[1].atom == DW_OP_deref;
  return is_kept_address ? std::optional{EntryPlace{.kind = EntryPlace::Kind::BehindIntegerAddress}} : std::nullopt;
}

}  // namespace

std::optional<EntryPlace> entry_place(const LibDw& dw, const Dwarf_Die& parameter, uint64_t start) {
  if (auto known = constant(dw, parameter)) return known;
  Dwarf_Die entry = parameter;
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  if (dw.dwarf_attr(&entry, DW_AT_location, &attribute) == nullptr ||
      dw.dwarf_getlocation_addr(&attribute, start, &operations, &count, 1) != 1 || count == 0)
    return std::nullopt;
  return place_of({operations, count});
}

}  // namespace dscope
