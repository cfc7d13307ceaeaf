// How functions of Go programs receive arguments and return results.
#pragma once

#include "arch/architecture.h"

namespace dscope {

// ABIInternal of Go 1.17 and later: integers and pointers are in registers of their own, in order. Functions in
// assembler have them on the stack.
FunctionAbi go_functions(const Architecture& architecture);
// The bytes of the instructions at the start of a Go function that compare the stack pointer with the end of the stack.
// If the stack is too small, or the goroutine is to be preempted, the runtime does its work and calls the function
// again. The instructions change no register of an argument. 0 if `code` begins with others.
size_t go_stack_check_size(const Architecture& architecture, std::span<const uint8_t> code);
constexpr uint64_t max_go_stack_check = 32;

// The register that points to the running goroutine's runtime.g in such functions: its offset in struct pt_regs.
uint32_t go_goroutine_register(const Architecture& architecture);

}  // namespace dscope
