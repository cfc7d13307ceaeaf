// Offsets in struct pt_regs of x86-64, which are user ABI (asm/ptrace.h).
#pragma once

#include <cstdint>

namespace dscope {

constexpr uint32_t pt_regs_bp = 32, pt_regs_ax = 80, pt_regs_orig_ax = 120, pt_regs_ip = 128, pt_regs_cs = 136,
                   pt_regs_sp = 152;
// Registers in argument order.
constexpr uint32_t function_argument_offsets[] = {112, 104, 96, 88, 72, 64};  // di si dx cx r8 r9
constexpr uint32_t syscall_argument_offsets[] = {112, 104, 96, 56, 72, 64};   // di si dx r10 r8 r9
constexpr uint32_t i386_argument_offsets[] = {40, 88, 96, 104, 112, 32};      // bx cx dx si di bp

}  // namespace dscope
