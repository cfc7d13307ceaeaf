// How functions of Go programs receive arguments and return results.
#pragma once

#include "arch/architecture.h"

namespace dscope {

// ABIInternal of Go 1.17 and later: integers and pointers are in registers of their own, in order. Functions in
// assembler have them on the stack.
FunctionAbi go_functions(const Architecture& architecture);
// The register that points to the running goroutine's runtime.g in such functions: its offset in struct pt_regs.
uint32_t go_goroutine_register(const Architecture& architecture);

}  // namespace dscope
