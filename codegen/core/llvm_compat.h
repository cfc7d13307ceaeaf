// The differences between the releases of LLVM that dscope builds with, 19 to 21. The only file that asks for a
// release.
#pragma once

#include <llvm/Config/llvm-config.h>

#include "codegen/core/llvm_headers.h"

#if LLVM_VERSION_MAJOR >= 21
#include <llvm/TargetParser/Triple.h>
#endif

namespace dscope {

// A name of a target as LLVM's functions take it: a string before LLVM 21.
#if LLVM_VERSION_MAJOR >= 21
inline llvm::Triple target_triple(const char* name) { return llvm::Triple(name); }
#else
inline const char* target_triple(const char* name) { return name; }
#endif

}  // namespace dscope
