// Where a program calls a function, found in its code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dscope {

struct CallSite {
  uint64_t target = 0;   // virtual address of the function
  uint64_t address = 0;  // of the instruction
  uint64_t offset = 0;   // of it in the file
  bool is_jump = false;  // the last thing its function does
};

// Direct calls and jumps of x86 code to any of the functions, which begin at these virtual addresses, by address.
std::vector<CallSite> find_call_sites(int fd, std::span<const uint64_t> functions);

}  // namespace dscope
