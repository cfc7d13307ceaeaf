// Names and costs of the kernel functions that BPF programs call by number, for dumps and estimates.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dscope {

struct BpfHelperRow {
  uint32_t number = 0;
  std::string_view name;  // without bpf_
  uint32_t ns = 0;        // cost of a call
};

// Null if the table lacks the helper.
const BpfHelperRow* find_bpf_helper(uint32_t number);
// "get_current_comm", or "helper 999" for a number that the table lacks.
std::string bpf_helper_name(uint32_t number);

}  // namespace dscope
