// The BPF support library (codegen/bpf/) as LLVM bitcode, linked into the modules of D programs.
#pragma once

#include "support/result.h"

namespace llvm {
class Module;
}

namespace dscope {

// Adds the functions of the library that the module calls. The module's triple and data layout must be final.
Result<> link_support(llvm::Module& module);

}  // namespace dscope
