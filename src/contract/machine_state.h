// What the consumer keeps telling programs of the machine, because the kernel does not tell them: it stands behind
// struct ds_state in map "ds_state", if the program reads it, and is renewed every second.
#pragma once

#include <cstdint>
#include <string_view>

namespace dscope {

// The global variable of the D libraries that is this; its members are those of struct __machine_now there.
constexpr std::string_view machine_variable = "__machine_now";

struct MachineState {
  int32_t load[3] = {};         // over 1, 5 and 15 minutes, in 65536ths
  int32_t coarse_load[3] = {};  // the same in 256ths
  uint64_t free_pages = 0;
  uint64_t available_pages = 0;  // free, or could be made so without swapping
  uint64_t min_free_pages = 0;   // what the kernel keeps free for itself
  uint64_t locked_pages = 0;     // may not be put aside
  uint64_t threads = 0;
  // In pages; what Solaris keeps of physical memory that stands in for swap is 0.
  uint64_t swap_pages = 0, free_swap_pages = 0, unused_swap[3] = {};
};

}  // namespace dscope
