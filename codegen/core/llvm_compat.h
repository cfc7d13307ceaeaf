// The differences between the releases of LLVM that dscope builds with, 19 to 21. The only file that asks for a
// release.
#pragma once

#include <llvm/Config/llvm-config.h>

#include "codegen/core/llvm_headers.h"

#if LLVM_VERSION_MAJOR >= 21
#include <llvm/TargetParser/Triple.h>
#endif

namespace dscope {

inline void set_target_triple(llvm::Module& module, const char* triple) {
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(llvm::Triple(triple));
#else
  module.setTargetTriple(triple);
#endif
}

}  // namespace dscope
