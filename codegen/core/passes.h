// The passes that both back ends run over the module of a D program.
#pragma once

#include <cstdint>

#include "support/result.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace dscope {

// Default: the passes that make our programs smaller. Quick: fewer passes, which leave 5 % more instructions. Full:
// LLVM's O2, for programs that the verifier rejected: its different register allocation may pass.
enum class Effort : uint8_t { Quick, Default, Full };

// Quick for large modules, where Default would spend a third of the run on passes.
Effort default_effort(llvm::Module& module);
// Fails if LLVM would take minutes for the module.
Result<> check_size(llvm::Module& module);
// Hides all functions but the programs, and runs the passes.
void run_passes(llvm::Module& module, llvm::TargetMachine& machine, Effort effort);

}  // namespace dscope
