// Completes portable code for this machine: writes its numbers into the instructions that the symbols "ds_late_..."
// mark, and its tables into the sections ".rodata.late.<number>" (contract/late_code.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

struct LateContent {
  std::vector<uint64_t> numbers;    // by the number in the symbol's name
  std::vector<std::string> tables;  // by the number in the section's name; padded here to multiples of 8 bytes
};

// Returns the completed object. Fails if a number does not fit into its instruction, or if the object is damaged.
Result<BpfObject> bind_late_code(const BpfObject& object, const LateContent& content);

}  // namespace dscope
