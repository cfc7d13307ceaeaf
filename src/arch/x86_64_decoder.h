// Decodes single x86 instructions as far as their sizes, branch targets and destinations: no operands in text. A few
// tables of encodings replace a disassembler, so that the runner of bundles, which links no LLVM, can probe
// instructions.
#pragma once

#include <cstdint>
#include <span>

#include "contract/process_tools.h"

namespace dscope {

// The table in which the opcode is looked up. Legacy maps are those without VEX, XOP or EVEX prefix.
enum class X86Map : uint8_t { OneByte, Escape0f, Escape0f38, Escape0f3a, Map5, Map6, Xop };
// The last legacy prefix that is part of the opcode, or the field of a VEX or EVEX prefix in its place.
enum class X86Prefix : uint8_t { None, Size, Repeat, RepeatNot };  // none, 66, f3, f2

struct X86Instruction {
  uint8_t size = 0;  // in bytes, with its prefixes; 0: invalid, or not all its bytes are there
  X86Map map = X86Map::OneByte;
  X86Prefix prefix = X86Prefix::None;
  bool is_vex = false;               // has a VEX or EVEX prefix
  bool is_wide = false;              // REX.W or its equivalent: 64-bit operands
  bool has_short_addresses = false;  // prefix 67
  uint8_t opcode = 0;
  // ModRM and SIB with the bits of REX added; `mod` is 3 if there is no memory operand.
  uint8_t mod = 3, reg = 0, rm = 0;
  bool has_sib = false;
  uint8_t scale = 1, index = 4, base = 0;  // index 4: none
  int32_t displacement = 0;
  int64_t immediate = 0;  // of branches: the distance from the end

  bool is_memory() const { return mod != 3; }
  // The opcode byte of a legacy map.
  bool is(X86Map in_map, uint8_t byte) const { return !is_vex && map == in_map && opcode == byte; }
  // ModRM without a base register: the address is relative to the end of the instruction in 64-bit code.
  bool has_no_base() const { return mod == 0 && (rm & 7) == 5; }
};

// Decodes the instruction at the start of `code`.
X86Instruction decode_x86_instruction(std::span<const uint8_t> code, WordSize word_size);

}  // namespace dscope
