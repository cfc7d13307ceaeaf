// -S: the BPF instructions of the D program (consumer-and-actions.md 9.6).
#pragma once

#include <string>

#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

// Returns the listings that option disasm selects: 1 each clause, 2 each program, 4 and 8 each program with all
// functions that it calls, linked as for the kernel. `plan` belongs to `object`.
Result<std::string> code_listing(const ProgramPlan& plan, const BpfObject& object);

}  // namespace dscope
