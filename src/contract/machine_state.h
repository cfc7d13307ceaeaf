// Machine state that BPF programs cannot read from the kernel. The consumer writes it behind struct ds_state in map
// "ds_state" every second, if the program reads it.
#pragma once

#include <cstdint>
#include <string_view>

namespace dscope {

// The global variable of the D libraries through which programs read it; the members of its type, struct
// __machine_now, match MachineState.
constexpr std::string_view machine_variable = "__machine_now";

struct MachineState {
  int32_t load[3] = {};         // averages over 1, 5 and 15 minutes, in units of 1/65536
  int32_t coarse_load[3] = {};  // the same in units of 1/256
  uint64_t free_pages = 0;
  uint64_t available_pages = 0;  // free, or reclaimable without swapping
  uint64_t min_free_pages = 0;   // the kernel's reserve
  uint64_t locked_pages = 0;     // mlocked
  uint64_t threads = 0;
  // In pages. Solaris also counts physical memory that backs swap: 0 here.
  uint64_t swap_pages = 0, free_swap_pages = 0, unused_swap[3] = {};
};

}  // namespace dscope
