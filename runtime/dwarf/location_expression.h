// Turns the DWARF expressions that locate variables into steps that a BPF program can execute. Private to
// runtime/dwarf.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "contract/types/traced_variable.h"
#include "runtime/dwarf/libdw.h"

namespace dscope {

using LocationSteps = std::vector<LocationStep>;

// The objects that the operations of an expression refer to.
struct ExpressionContext {
  uint64_t address = 0;                        // virtual address of the instruction
  std::optional<LocationSteps> frame_base;     // of the function
  std::optional<LocationSteps> frame_address;  // the canonical frame address (CFA)
  std::optional<int64_t> thread_block;         // from the thread pointer to the object's thread-local variables
  // The steps that compute a register by its DWARF number; null: registers of struct pt_regs.
  std::function<std::optional<LocationSteps>(unsigned number)> register_value = nullptr;
  // The steps that compute the value that a register, by its DWARF number, had when the function was entered; nothing
  // if it is not known.
  std::function<std::optional<LocationSteps>(unsigned number)> entry_value = nullptr;
};

// `attribute`: the one that the operations are from, for the operands of some; null if there is none.
VariablePlace translate_location(const LibDw& dw, Dwarf_Attribute* attribute, std::span<const Dwarf_Op> operations,
                                 const ExpressionContext& context);
// The steps of an expression that computes one number, such as a frame base; for DW_OP_reg<n> the register's value.
std::optional<LocationSteps> translate_number(const LibDw& dw, Dwarf_Attribute* attribute,
                                              std::span<const Dwarf_Op> operations, const ExpressionContext& context);
// Pushes the address of an object of the traced file that lies at a virtual address: the file may be mapped anywhere,
// but the instruction that fired tells where.
void append_address(LocationSteps& steps, uint64_t address, uint64_t instruction);

// Sentences for VariablePlace::problem.
inline constexpr std::string_view optimized_out = "it is optimized out here";

}  // namespace dscope
