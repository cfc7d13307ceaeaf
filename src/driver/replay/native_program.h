// A compiled D program as native code, with the machine that it runs on.
#pragma once

#include <memory>
#include <vector>

#include "codegen/native/native_code.h"
#include "contract/host.h"
#include "contract/program_plan.h"
#include "driver/compile/compilation.h"
#include "runtime/replay/native_machine.h"
#include "support/result.h"

namespace dscope {

struct NativeProgram {
  ProgramPlan plan;  // the compilation's plan, completed by lowering
  std::unique_ptr<NativeMachine> machine;
  std::unique_ptr<NativeCode> code;
  std::vector<NativeMachine::Program> programs;  // parallel to ProgramPlan::programs
};

// `host`: that of the compilation. The result refers to itself: it stays where it is. Fails with a sentence if the
// program calls for what only a kernel can do.
Result<std::unique_ptr<NativeProgram>> make_native_program(const Compilation& compilation, Host& host);

}  // namespace dscope
