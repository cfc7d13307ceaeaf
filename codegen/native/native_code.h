// NativeCode: the second back end. Compiles the module that lower() makes for the processor that dscope runs on, into
// memory, by LLVM's ORC. BPF helpers and maps become those of a native runtime (NativeSymbols).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "codegen/core/ir_module.h"
#include "codegen/native/native_symbols.h"
#include "support/result.h"

namespace dscope {

class NativeCode {
 public:
  // A program: its argument is the context, as in BPF. The result is 0.
  using Program = uint32_t (*)(void* context);

  // Changes the module. Fails with a sentence if the module calls a helper that `symbols` lacks.
  static Result<std::unique_ptr<NativeCode>> compile(IrModule& ir, const NativeSymbols& symbols);
  virtual ~NativeCode() = default;

  // The program of that symbol (BpfProgramPlan::symbol).
  virtual Result<Program> find(const std::string& symbol) = 0;
};

}  // namespace dscope
