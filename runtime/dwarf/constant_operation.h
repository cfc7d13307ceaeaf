// The operations of DWARF expressions that push a constant.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>

namespace dscope {

// The constant; nothing for other operations. libdw has extended signed constants.
inline std::optional<uint64_t> pushed_constant(const Dwarf_Op& operation) {
  if (operation.atom >= DW_OP_lit0 && operation.atom <= DW_OP_lit31) return operation.atom - DW_OP_lit0;
  switch (operation.atom) {
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_const8u:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts: return operation.number;
    default: return std::nullopt;
  }
}

}  // namespace dscope
