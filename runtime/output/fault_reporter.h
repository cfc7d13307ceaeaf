// Text of run-time faults (consumer-and-actions.md 2.6), with the D line below it where that helps.
#pragma once

#include <string>

#include "contract/program_plan.h"
#include "contract/record_format.h"

namespace dscope {

// `fault.header.probe_row` names an existing probe.
std::string fault_text(const ProgramPlan& plan, const ds_fault_record& fault, std::string_view program_name,
                       bool show_line);

}  // namespace dscope
