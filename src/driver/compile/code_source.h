// CodeSource: where a run gets the BPF code of a compiled program from: the compiler, or a bundle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "driver/compile/compilation.h"
#include "support/result.h"

namespace dscope {

// Forms of the code of one program. A kernel whose verifier rejects one of them may accept the next (load_policy.h).
enum class CodeForm : uint8_t {
  Fast,          // loads directly from kernel objects
  Checked,       // reads kernel objects by checked copies only
  CheckedAwake,  // the same, and programs never sleep
  Described,     // as Fast, with D lines for messages of the verifier
  Short,         // as Fast, but long copies are calls: a third of the instructions in programs with many strings
};

// Code that another process may complete and run: numbers of the process are open in it.
struct OpenCode {
  BpfObject object;
  std::vector<std::string> numbers;  // by the number in symbols "ds_late_...": "$pid"
};

struct GeneratedCode {
  ProgramPlan plan;  // the compilation's plan, completed by lowering
  BpfObject object;
  CodeForm form{};
  // Set if the program uses $pid and the like, and if its code depends on them in no other way.
  std::optional<OpenCode> open;
};

class CodeSource {
 public:
  virtual ~CodeSource() = default;
  // Fails with a sentence for the user if there is no such code.
  virtual Result<GeneratedCode> generate(const Compilation& compilation, CodeForm form) = 0;
};

}  // namespace dscope
