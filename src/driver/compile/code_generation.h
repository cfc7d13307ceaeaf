// From a compilation to a BPF object: lowering, optimization, emission. Needs LLVM, no kernel.
#pragma once

#include <optional>

#include "codegen/core/object.h"
#include "codegen/lower/lower.h"
#include "driver/compile/code_source.h"
#include "support/progress.h"
#include "support/result.h"

namespace dscope {

// The options of lowering and the effort of optimization for a form; nullopt: the size of the module decides.
LowerOptions lower_options(CodeForm form);
std::optional<Effort> effort_of(CodeForm form);

// The code of this machine, by the compiler.
class Compiler : public CodeSource {
 public:
  Result<GeneratedCode> generate(const Compilation& compilation, CodeForm form) override;
};

// Generates fast code and shows progress. If LLVM rejects the code, generates it again with D lines, so that the error
// can name a line.
Result<GeneratedCode> generate_code(const Compilation& compilation, Progress& progress);

}  // namespace dscope
