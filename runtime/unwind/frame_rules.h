// Reads the call frame information of an object (.eh_frame) into rules that BPF programs can apply
// (contract/stacks/unwind_format.h). The input is foreign: bounded by its size and by the budget.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/architecture.h"
#include "contract/stacks/unwind_format.h"
#include "runtime/elf/frame_entries.h"

namespace dscope {

// The rule for code addresses from `address` on. Kind 0: the code has no rule.
struct RuleRow {
  uint64_t address = 0;  // virtual
  ds_unwind_rule rule{};
};

bool operator==(const ds_unwind_rule& left, const ds_unwind_rule& right);

// The rows of all functions, sorted by address, each with another rule than the one before. Empty if the budget does
// not suffice, because half a table would unwind by the rules of other functions.
std::vector<RuleRow> read_frame_rules(const FrameSection& section, FileBudget& budget,
                                      const Architecture& architecture = native_architecture());

}  // namespace dscope
