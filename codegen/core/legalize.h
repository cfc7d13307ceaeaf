// Replaces instructions that LLVM's BPF back end cannot compile. Runs between optimization and emission.
#pragma once

#include <llvm/IR/Module.h>

namespace dscope {

void legalize(llvm::Module& module);

// Replaces inline copies and zeroing of 128 bytes and more by calls of bpf_probe_read_kernel(): 6 instructions instead
// of one or two for each 8 bytes, for programs that the verifier has found too large. Runs before legalize().
void shrink_copies(llvm::Module& module);

}  // namespace dscope
