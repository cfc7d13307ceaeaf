// Replaces instructions that LLVM's BPF back end cannot compile. Runs between optimization and emission.
#pragma once

#include <llvm/IR/Module.h>

namespace dscope {

void legalize(llvm::Module& module);

}  // namespace dscope
