// Text of run-time faults (consumer-and-actions.md 2.6), optionally followed by the D line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "contract/program_plan.h"
#include "contract/record_format.h"

namespace dscope {

// "invalid address", ...; `code` is one of DS_FAULT_*.
std::string_view fault_name(uint32_t code);
// Whether the fault is an invalid address that belongs to user memory. The kernel has no addresses so low, and values
// below 4096 are offsets from NULL.
bool is_user_address_fault(const ds_fault_record& fault);
// "invalid address (0x40)".
std::string fault_cause(const ds_fault_record& fault);

// The value of option scratchsize with which a copying subroutine would not have had this fault, a power of two;
// nullopt for all other faults.
std::optional<uint64_t> needed_scratchsize(const ProgramPlan& plan, const ds_fault_record& fault);

// `fault.header.probe_row` must exist in the plan. `show_line` adds the D line with a caret, and a hint.
std::string fault_text(const ProgramPlan& plan, const ds_fault_record& fault, std::string_view program_name,
                       bool show_line);

// "dtrace: error in dt_clause_1 for probe ID 2 (...): MESSAGE\n", for actions that fail when their record arrives.
std::string action_error_text(const ProgramPlan& plan, const ds_record_header& header, std::string_view program_name,
                              std::string_view message);

}  // namespace dscope
