// Instruction boundaries and exits of x86 functions.
#include <algorithm>
#include <optional>
#include <vector>

#include "arch/x86_64.h"
#include "arch/x86_64_decoder.h"

namespace dscope {

namespace {

// endbr64 and endbr32.
bool is_mark(std::span<const uint8_t> bytes) {
  constexpr uint8_t mark[] = {0xf3, 0x0f, 0x1e};
  return bytes.size() == 4 && std::equal(std::begin(mark), std::end(mark), bytes.begin()) && bytes[3] >= 0xfa;
}

// The registers that an instruction with a VEX or EVEX prefix changes, besides vector registers.
enum class Change : uint8_t { Nothing, RegisterInReg, RegisterInRm, More };

Change change_in_0f(const X86Instruction& instruction) {
  bool is_scalar = instruction.prefix == X86Prefix::Repeat || instruction.prefix == X86Prefix::RepeatNot;
  switch (instruction.opcode) {
    case 0x2e:
    case 0x2f:  // vcomiss: flags
    case 0x77:  // vzeroupper
    case 0x98:
    case 0x99:  // kortest, ktest
    case 0xae: return Change::More;
    case 0x2c:
    case 0x2d:
    case 0x78:
    case 0x79: return is_scalar ? Change::RegisterInReg : Change::Nothing;
    case 0x50:
    case 0x93:
    case 0xc5:
    case 0xd7: return Change::RegisterInReg;
    case 0x7e: return instruction.prefix == X86Prefix::Size ? Change::RegisterInRm : Change::Nothing;
    default: return Change::Nothing;
  }
}

Change change_in_0f38(const X86Instruction& instruction) {
  uint8_t opcode = instruction.opcode;
  bool is_shift_or_gather = (opcode == 0xf5 || opcode == 0xf7) && instruction.prefix != X86Prefix::None;
  if (is_shift_or_gather) return Change::RegisterInReg;
  // Flags, tile registers, and the instructions for integers, most of which change flags.
  constexpr uint8_t others[] = {0x0e, 0x0f, 0x17, 0x49, 0x4b, 0x5c, 0x5e, 0x6c};
  bool changes_more = opcode >= 0xe0 || std::ranges::find(others, opcode) != std::end(others);
  return changes_more ? Change::More : Change::Nothing;
}

Change change_of(const X86Instruction& instruction) {
  uint8_t opcode = instruction.opcode;
  switch (instruction.map) {
    case X86Map::Escape0f: return change_in_0f(instruction);
    case X86Map::Escape0f38: return change_in_0f38(instruction);
    case X86Map::Escape0f3a:
      if (opcode >= 0x14 && opcode <= 0x17) return Change::RegisterInRm;
      if (opcode == 0xf0) return Change::RegisterInReg;
      return opcode >= 0x60 && opcode <= 0x63 ? Change::More : Change::Nothing;  // vpcmpestri: flags, rcx
    case X86Map::Map5: return change_in_0f(instruction);
    case X86Map::Map6: return Change::Nothing;
    default: return Change::More;
  }
}

// Registers that neither pass arguments nor lead to the stack: rax, r10, r11.
bool is_scratch(uint8_t general_register) {
  return general_register == 0 || general_register == 10 || general_register == 11;
}

// endbr64, and instructions with a VEX or EVEX prefix that change no argument.
bool is_skippable(const X86Instruction& instruction, std::span<const uint8_t> bytes) {
  if (is_mark(bytes)) return true;
  if (!instruction.is_vex || instruction.map == X86Map::Xop) return false;
  switch (change_of(instruction)) {
    case Change::Nothing: return true;
    case Change::RegisterInReg: return is_scratch(instruction.reg);
    case Change::RegisterInRm: return instruction.is_memory() || is_scratch(instruction.rm);
    case Change::More: return false;
  }
  return false;
}

enum class Branch : uint8_t { None, Return, Jump, ConditionalJump, IndirectJump };

Branch branch_of(const X86Instruction& instruction) {
  if (instruction.is_vex) return Branch::None;
  uint8_t opcode = instruction.opcode;
  if (instruction.map == X86Map::Escape0f) return (opcode & 0xf0) == 0x80 ? Branch::ConditionalJump : Branch::None;
  if (instruction.map != X86Map::OneByte) return Branch::None;
  uint8_t extension = instruction.reg & 7;
  switch (opcode) {
    case 0xc2:
    case 0xc3:
    case 0xca:
    case 0xcb:
    case 0xcf: return Branch::Return;
    case 0xe9:
    case 0xeb: return Branch::Jump;
    case 0xe0:
    case 0xe1:
    case 0xe2:
    case 0xe3: return Branch::ConditionalJump;
    case 0xea: return Branch::IndirectJump;
    case 0xc7: return extension == 7 ? Branch::ConditionalJump : Branch::None;  // xbegin
    case 0xff: return extension == 4 || extension == 5 ? Branch::IndirectJump : Branch::None;
    default: return (opcode & 0xf0) == 0x70 ? Branch::ConditionalJump : Branch::None;
  }
}

class Reader {
 public:
  Reader(std::span<const uint8_t> code, WordSize word_size) : code_(code), word_size_(word_size) {}

  CodeOutline read() {
    bool is_at_start = true;
    for (size_t at = 0; at < code_.size();) {
      X86Instruction instruction = decode_x86_instruction(code_.subspan(at), word_size_);
      if (instruction.size == 0) return {};
      std::span<const uint8_t> bytes = code_.subspan(at, instruction.size);
      outline_.starts.push_back(static_cast<uint32_t>(at));
      is_at_start = is_at_start && is_skippable(instruction, bytes);
      if (is_at_start) outline_.probe_offset = static_cast<uint32_t>(at + bytes.size());
      track_table_jump(instruction);
      if (!is_table_jump(instruction, bytes)) add_exit(instruction, at);
      at += bytes.size();
    }
    if (!std::ranges::all_of(targets_, [&](uint64_t target) { return is_start(target); })) return {};
    bool is_reached_again =
        std::ranges::any_of(targets_, [&](uint64_t target) { return target > 0 && target <= outline_.probe_offset; });
    if (is_reached_again || outline_.probe_offset == code_.size()) outline_.probe_offset = 0;
    return std::move(outline_);
  }

 private:
  // The compilers' code for a switch statement: it loads a distance from a table, adds it to the address of the table,
  // and jumps to the sum.
  struct TableJump {
    std::optional<uint8_t> distance, table, destination;  // numbers of registers
  };
  void track_table_jump(const X86Instruction& instruction) {
    if (word_size_ != WordSize::Bits64 || !instruction.is_wide) return;
    bool is_load = instruction.is(X86Map::OneByte, 0x63) && instruction.is_memory();  // movslq
    if (is_load && instruction.has_sib && instruction.scale == 4 && instruction.index != 4) {
      table_ = {.distance = instruction.reg, .table = instruction.base, .destination = std::nullopt};
    } else if (!instruction.is_memory() && table_.table) {
      bool is_sum = instruction.is(X86Map::OneByte, 0x01) || instruction.is(X86Map::OneByte, 0x03);
      auto has = [&](std::optional<uint8_t> one, std::optional<uint8_t> other) {
        return instruction.reg == one && instruction.rm == other;
      };
      if (is_sum && (has(table_.distance, table_.table) || has(table_.table, table_.distance)))
        table_.destination = instruction.opcode == 0x01 ? instruction.rm : instruction.reg;
    }
  }

  // Where indirect jumps must lead to a marked target (IBT), compilers mark jumps through a table: 3e ff.
  bool is_table_jump(const X86Instruction& instruction, std::span<const uint8_t> bytes) const {
    if (branch_of(instruction) != Branch::IndirectJump) return false;
    bool is_to_register = !instruction.is_memory() && word_size_ == WordSize::Bits64;
    return bytes[0] == 0x3e || (is_to_register && table_.destination == instruction.rm);
  }

  // Jumps lead to the starts of instructions. Otherwise the decoder has read data as code, and the result is worthless.
  // Only jumps behind a `lock` prefix are deliberate.
  bool is_start(uint64_t target) const {
    return std::ranges::binary_search(outline_.starts, target) || (target > 0 && code_[target - 1] == 0xf0);
  }

  // The linker jumps to functions of other libraries through a pointer at a constant address.
  bool jumps_through_pointer(const X86Instruction& instruction) const {
    return word_size_ == WordSize::Bits64 && (instruction.reg & 7) == 4 && instruction.has_no_base() &&
           instruction.is(X86Map::OneByte, 0xff) && !instruction.has_short_addresses;
  }

  void add_exit(const X86Instruction& instruction, size_t at) {
    Branch branch = branch_of(instruction);
    auto offset = static_cast<uint32_t>(at);
    int64_t end = static_cast<int64_t>(at) + instruction.size;
    if (branch == Branch::Return) {
      outline_.exits.push_back({.offset = offset, .target = std::nullopt});
    } else if (branch == Branch::IndirectJump) {
      if (jumps_through_pointer(instruction)) {
        outline_.exits.push_back({.offset = offset, .target = end + instruction.displacement});
        return;
      }
      outline_.has_ambiguous_exits = true;
      outline_.indirect_jumps.push_back(offset);
    } else if (branch == Branch::Jump || branch == Branch::ConditionalJump) {
      int64_t target = end + instruction.immediate;
      if (target >= 0 && static_cast<uint64_t>(target) < code_.size())
        return targets_.push_back(static_cast<uint64_t>(target));
      if (branch == Branch::Jump) outline_.exits.push_back({.offset = offset, .target = target});
      else outline_.has_ambiguous_exits = true;
    }
  }

  std::span<const uint8_t> code_;
  WordSize word_size_;
  CodeOutline outline_;
  std::vector<uint64_t> targets_;  // of direct jumps within the function
  TableJump table_;
};

}  // namespace

CodeOutline read_x86_code(std::span<const uint8_t> code, WordSize word_size) { return Reader(code, word_size).read(); }

}  // namespace dscope
