#include "runtime/dwarf/parameter_location.h"

#include <dwarf.h>

#include <span>

namespace dscope {
namespace {

std::optional<ParameterLocation> constant_location(const LibDw& dw, const Dwarf_Die& parameter) {
  Dwarf_Die entry = parameter;
  Dwarf_Attribute attribute;
  // Only at the entry itself, hence dwarf_attr(): the value of an abstract origin is a default, not this copy's.
  if (dw.dwarf_attr(&entry, DW_AT_const_value, &attribute) == nullptr) return std::nullopt;
  auto value = dw.constant(parameter, DW_AT_const_value);
  if (!value) return std::nullopt;
  return ParameterLocation{.kind = ParameterLocation::Kind::Constant, .value = *value};
}

std::optional<unsigned> register_of(const Dwarf_Op& operation) {
  if (operation.atom >= DW_OP_reg0 && operation.atom <= DW_OP_reg31) return operation.atom - DW_OP_reg0;
  bool is_value = operation.atom >= DW_OP_breg0 && operation.atom <= DW_OP_breg31 && operation.number == 0;
  return is_value ? std::optional<unsigned>{operation.atom - DW_OP_breg0} : std::nullopt;
}

std::optional<ParameterLocation> location_of(std::span<const Dwarf_Op> operations) {
  using Kind = ParameterLocation::Kind;
  std::optional<unsigned> number = register_of(operations[0]);
  bool is_register = operations[0].atom <= DW_OP_reg31 && operations[0].atom >= DW_OP_reg0;
  if (operations.size() == 1 && number)
    return ParameterLocation{.kind = is_register ? Kind::Register : Kind::MemoryAtRegister, .number = *number};
  if (operations.size() != 2) return std::nullopt;
  if (number && !is_register && operations[1].atom == DW_OP_stack_value)
    return ParameterLocation{.kind = Kind::Register, .number = *number};
  // The function saves an address in its frame and dereferences it; the calling convention states in which register the
  // address arrives.
  bool is_saved_address = operations[0].atom == DW_OP_fbreg && operations[1].atom == DW_OP_deref;
  return is_saved_address ? std::optional{ParameterLocation{.kind = Kind::MemoryAtArgument}} : std::nullopt;
}

}  // namespace

std::optional<ParameterLocation> locate_parameter(const LibDw& dw, const Dwarf_Die& parameter, uint64_t start) {
  if (auto known = constant_location(dw, parameter)) return known;
  Dwarf_Die entry = parameter;
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  if (dw.dwarf_attr(&entry, DW_AT_location, &attribute) == nullptr ||
      dw.dwarf_getlocation_addr(&attribute, start, &operations, &count, 1) != 1 || count == 0)
    return std::nullopt;
  return location_of({operations, count});
}

}  // namespace dscope
