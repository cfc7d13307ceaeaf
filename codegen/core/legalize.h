// Takes out of optimised modules what LLVM's BPF back end cannot do. Called between optimising and emitting.
#pragma once

#include <llvm/IR/Module.h>

namespace dscope {

void legalize(llvm::Module& module);

}  // namespace dscope
