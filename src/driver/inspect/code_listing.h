// -S: what the D program became, in BPF instructions (consumer-and-actions.md 9.6).
#pragma once

#include <string>

#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

// The listings that option disasm asks for: 1 each clause, 2 each program, 4 and 8 each program with all functions it
// reaches laid out as the kernel gets it. `plan` is that of `object`, with clauses as functions.
Result<std::string> code_listing(const ProgramPlan& plan, const BpfObject& object);

}  // namespace dscope
