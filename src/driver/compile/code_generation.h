// From a compilation to a BPF object: lowering, optimization, emission. Needs LLVM, no kernel.
#pragma once

#include <optional>

#include "codegen/core/object.h"
#include "codegen/lower/lower.h"
#include "contract/program_plan.h"
#include "driver/compile/compilation.h"
#include "support/progress.h"
#include "support/result.h"

namespace dscope {

struct GeneratedCode {
  ProgramPlan plan;  // the compilation's plan, completed by lowering
  BpfObject object;
  LowerOptions options;  // the options of its lowering
};

// `effort`: nullopt chooses it by the size of the module.
Result<GeneratedCode> generate_code(const Compilation& compilation, const LowerOptions& options,
                                    std::optional<Effort> effort = std::nullopt);

// Generates code with default options and shows progress. If LLVM rejects the code, generates it again with D lines, so
// that the error can name a line.
Result<GeneratedCode> generate_code(const Compilation& compilation, Progress& progress);

}  // namespace dscope
