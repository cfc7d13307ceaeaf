// String functions that the verifier checks once instead of at each call, for programs that it has found too large.
#pragma once

#include <llvm/IR/Module.h>

namespace dscope {

// Replaces calls of the support library's string functions by calls of global functions (contract/global_function.h),
// one for each combination of function and sizes. Leaves calls whose strings are on the stack or whose sizes are not
// constant. Runs before the passes, on a module that contains the library.
void make_string_functions_global(llvm::Module& module);

// Moves constant bytes, such as string literals, to a writable section: the verifier requires that a global function
// may write to the memory behind each pointer (Linux 6.18, kernel/bpf/verifier.c). A string may be one of several
// objects, so this does not depend on the calls. Runs after the passes, which treat constants better.
void make_texts_writable(llvm::Module& module);

}  // namespace dscope
