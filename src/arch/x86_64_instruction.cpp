// x86-64 instructions that uprobes cannot be on.
#include <algorithm>
#include <array>

#include "arch/x86_64.h"

namespace dscope {

// True if a uprobe on the instruction is refused or harmful (arch/x86/kernel/uprobes.c). The kernel refuses
// instructions with a lock prefix, with a segment prefix that has no meaning in 64-bit code (compilers' padding,
// notrack) or with a VEX prefix, and those that user programs may not or should not execute. It accepts an EVEX prefix
// (62), but Linux 6.18, for example, looks only at the byte after the prefix: it skips vpbroadcastb (7c) like a jump
// that is not taken, and the program computes wrong results. Instructions that enter the kernel (syscall, sysenter,
// int) cannot be probed either: the return address is computed from where the instruction was executed, and the program
// crashes.
bool is_unsupported_x86_instruction(std::span<const uint8_t> code) {
  constexpr std::array<uint8_t, 6> prefixes = {0x64, 0x65, 0x66, 0x67, 0xf2, 0xf3};
  constexpr std::array<uint8_t, 27> refused = {0x26, 0x2e, 0x36, 0x3e, 0xf0, 0xc4, 0xc5, 0x62, 0xf4,
                                               0xcc, 0xcd, 0xce, 0xf1, 0xfa, 0xfb, 0x6c, 0x6d, 0x6e,
                                               0x6f, 0xe4, 0xe5, 0xe6, 0xe7, 0xec, 0xed, 0xee, 0xef};
  constexpr std::array<uint8_t, 3> refused_behind_escape = {0x05, 0x0b, 0x34};  // syscall, ud2, sysenter
  size_t at = 0;
  while (at < code.size() && std::find(prefixes.begin(), prefixes.end(), code[at]) != prefixes.end()) ++at;
  if (at >= code.size()) return false;
  bool is_escaped = code[at] == 0x0f && at + 1 < code.size() &&
                    std::ranges::find(refused_behind_escape, code[at + 1]) != refused_behind_escape.end();
  // An XOP prefix differs from pop by its map number.
  bool is_xop = code[at] == 0x8f && at + 1 < code.size() && (code[at + 1] & 0x1f) >= 8;
  return is_xop || is_escaped || std::find(refused.begin(), refused.end(), code[at]) != refused.end();
}

}  // namespace dscope
