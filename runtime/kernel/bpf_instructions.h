// BPF instructions, for programs of a few instructions that probe the kernel and need no compiler.
#pragma once

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <span>

#include "support/fd.h"

namespace dscope::instructions {

using Register = uint8_t;  // 0 to 10

inline bpf_insn call(int helper) { return {.code = BPF_JMP | BPF_CALL, .imm = helper}; }
inline bpf_insn move_immediate(Register to, int value) {
  return {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = static_cast<uint8_t>(to & 0xf), .imm = value};
}
inline bpf_insn move_register(Register to, Register from) {
  return {.code = BPF_ALU64 | BPF_MOV | BPF_X,
          .dst_reg = static_cast<uint8_t>(to & 0xf),
          .src_reg = static_cast<uint8_t>(from & 0xf)};
}
inline bpf_insn add_immediate(Register to, int value) {
  return {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = static_cast<uint8_t>(to & 0xf), .imm = value};
}
inline bpf_insn add_register(Register to, Register other) {
  return {.code = BPF_ALU64 | BPF_ADD | BPF_X,
          .dst_reg = static_cast<uint8_t>(to & 0xf),
          .src_reg = static_cast<uint8_t>(other & 0xf)};
}
inline bpf_insn shift_right(Register to, int bits) {
  return {.code = BPF_ALU64 | BPF_RSH | BPF_K, .dst_reg = static_cast<uint8_t>(to & 0xf), .imm = bits};
}
inline bpf_insn jump(int16_t count) { return {.code = BPF_JMP | BPF_JA, .off = count}; }
// Skips the next `count` instructions if the register equals `other`.
inline bpf_insn skip_if_equal(Register value, int32_t other, int16_t count) {
  return {.code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = static_cast<uint8_t>(value & 0xf), .off = count, .imm = other};
}
// Stores four bytes at base + offset.
inline bpf_insn store_immediate(Register base, int16_t offset, int32_t value) {
  return {.code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = static_cast<uint8_t>(base & 0xf), .off = offset, .imm = value};
}
// Stores eight bytes at base + offset.
inline bpf_insn store_register(Register base, int16_t offset, Register from) {
  return {.code = BPF_STX | BPF_MEM | BPF_DW,
          .dst_reg = static_cast<uint8_t>(base & 0xf),
          .src_reg = static_cast<uint8_t>(from & 0xf),
          .off = offset};
}
inline bpf_insn load_register(Register to, Register base, int16_t offset) {
  return {.code = BPF_LDX | BPF_MEM | BPF_DW,
          .dst_reg = static_cast<uint8_t>(to & 0xf),
          .src_reg = static_cast<uint8_t>(base & 0xf),
          .off = offset};
}
// Loads the address of the map with that descriptor; takes two instructions.
inline std::array<bpf_insn, 2> load_map(Register to, int map_fd) {
  return {{{.code = BPF_LD | BPF_IMM | BPF_DW,
            .dst_reg = static_cast<uint8_t>(to & 0xf),
            .src_reg = BPF_PSEUDO_MAP_FD,
            .imm = map_fd},
           {}}};
}
// Loads the address of the value of a single-element array map; takes two instructions.
inline std::array<bpf_insn, 2> load_map_value(Register to, int map_fd) {
  auto both = load_map(to, map_fd);
  both[0].src_reg = BPF_PSEUDO_MAP_VALUE;
  return both;
}
inline bpf_insn exit_program() { return {.code = BPF_JMP | BPF_EXIT}; }

// Loads a program of the type that `attributes` states. Returns an empty Fd, and sets errno, if the kernel refuses.
inline Fd load(std::span<const bpf_insn> program, bpf_attr attributes) {
  attributes.insns = reinterpret_cast<uint64_t>(program.data());
  attributes.insn_cnt = static_cast<uint32_t>(program.size());
  attributes.license = reinterpret_cast<uint64_t>("GPL");
  return Fd{static_cast<int>(::syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof attributes))};
}

}  // namespace dscope::instructions
