// Exits of AArch64 functions, and instructions that uprobes cannot be on. All instructions have 32 bits, so a few masks
// replace a disassembler. Source: Arm Architecture Reference Manual, C4.1; arch/arm64/kernel/probes/decode-insn.c.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "arch/aarch64.h"

namespace dscope {

namespace {

constexpr uint64_t instruction_size = 4;

struct Pattern {
  uint32_t mask, value;
  bool matches(uint32_t instruction) const { return (instruction & mask) == value; }
};

constexpr Pattern undefined{0xffff0000, 0x00000000};      // udf: data, not code
constexpr Pattern jump{0xfc000000, 0x14000000};           // b
constexpr Pattern conditional{0xff000000, 0x54000000};    // b.cond, bc.cond
constexpr Pattern compare{0x7e000000, 0x34000000};        // cbz, cbnz
constexpr Pattern test{0x7e000000, 0x36000000};           // tbz, tbnz
constexpr Pattern returns{0xfffffc1f, 0xd65f0000};        // ret
constexpr Pattern signed_return{0xfffffbff, 0xd65f0bff};  // retaa, retab
constexpr Pattern register_jump{0xfffffc1f, 0xd61f0000};  // br
constexpr Pattern signed_jump{0xfefff800, 0xd61f0800};    // braa, brab, braaz, brabz
constexpr Pattern add_register{0xff200000, 0x8b000000};   // add Xd, Xn, Xm, shift
constexpr Pattern add_extended{0xffe00000, 0x8b200000};   // add Xd, Xn, Wm, extension

// The signed field of `bits` bits from bit `first` on, as a distance in bytes.
int64_t distance(uint32_t instruction, uint32_t first, uint32_t bits) {
  auto field = static_cast<int32_t>(instruction << (32 - first - bits));
  return int64_t{field >> (32 - bits)} * static_cast<int64_t>(instruction_size);
}

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> code) : code_(code) {}

  CodeOutline read() {
    for (uint64_t at = 0; at < code_.size(); at += instruction_size) {
      uint32_t instruction = instruction_at(at);
      if (undefined.matches(instruction)) return {};
      outline_.starts.push_back(static_cast<uint32_t>(at));
      add_exit(instruction, at);
    }
    return std::move(outline_);
  }

 private:
  uint32_t instruction_at(uint64_t at) const {
    uint32_t instruction = 0;
    std::memcpy(&instruction, code_.data() + at, sizeof instruction);
    return instruction;
  }

  void add_exit(uint32_t instruction, uint64_t at) {
    auto offset = static_cast<uint32_t>(at);
    if (returns.matches(instruction)) {
      outline_.exits.push_back({.offset = offset, .target = std::nullopt});
    } else if (signed_return.matches(instruction)) {
      outline_.has_ambiguous_exits = true;  // it returns, but cannot have a uprobe
    } else if (register_jump.matches(instruction) || signed_jump.matches(instruction)) {
      if (jumps_through_table(instruction, at)) return;
      outline_.has_ambiguous_exits = true;
      outline_.indirect_jumps.push_back(offset);
    } else if (jump.matches(instruction)) {
      int64_t target = static_cast<int64_t>(at) + distance(instruction, 0, 26);
      if (is_outside(target)) outline_.exits.push_back({.offset = offset, .target = target});
    } else if (conditional.matches(instruction) || compare.matches(instruction)) {
      outline_.has_ambiguous_exits |= is_outside(static_cast<int64_t>(at) + distance(instruction, 5, 19));
    } else if (test.matches(instruction)) {
      outline_.has_ambiguous_exits |= is_outside(static_cast<int64_t>(at) + distance(instruction, 5, 14));
    }
  }

  bool is_outside(int64_t target) const { return target < 0 || static_cast<uint64_t>(target) >= code_.size(); }

  // The compilers' code for a switch statement adds a distance from a table to an address, and jumps to the sum.
  // Addresses of other functions are loaded, or the sum of a page and a constant.
  bool jumps_through_table(uint32_t instruction, uint64_t at) const {
    constexpr uint64_t max_instructions_before = 4;
    constexpr uint32_t register_mask = 0x1f;
    uint32_t jumped = instruction >> 5 & register_mask;
    uint64_t first = at - std::min(at, max_instructions_before * instruction_size);
    for (uint64_t before = at; before > first;) {
      before -= instruction_size;
      uint32_t earlier = instruction_at(before);
      bool is_sum = add_register.matches(earlier) || add_extended.matches(earlier);
      if (is_sum && (earlier & register_mask) == jumped) return true;
    }
    return false;
  }

  std::span<const uint8_t> code_;
  CodeOutline outline_;
};

// The kernel refuses these (aarch64_insn_is_steppable).
constexpr Pattern unsupported[] = {
    {0xff000000, 0xd4000000},  // svc, hvc, smc, brk, hlt
    {0x3f800000, 0x08000000},  // exclusive loads and stores
    {0xff000000, 0xd8000000},  // prfm of a literal
    {0xfff8f01f, 0xd500401f},  // msr of an immediate
    {0xfff00000, 0xd5100000},  // msr of a register
    {0xfffff3ff, 0xd69f03e0},  // eret
    {0xfefff800, 0xd61f0800},  // braa and others
    {0xfefff800, 0xd63f0800},  // blraa and others
    {0xfffffbff, 0xd65f0bff},  // retaa, retab
    {0x3b200c00, 0x19000400},  // cpyfp, setp and others
};

}  // namespace

CodeOutline read_aarch64_code(std::span<const uint8_t> code, WordSize word_size) {
  if (word_size == WordSize::Bits32 || code.size() % instruction_size != 0) return {};
  return Reader(code).read();
}

bool is_unsupported_aarch64_instruction(std::span<const uint8_t> code) {
  uint32_t instruction = 0;
  if (code.size() < sizeof instruction) return false;
  std::memcpy(&instruction, code.data(), sizeof instruction);
  return std::ranges::any_of(unsupported, [&](const Pattern& pattern) { return pattern.matches(instruction); });
}

}  // namespace dscope
