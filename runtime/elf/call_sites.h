// The call sites of functions, found by scanning machine code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dscope {

struct CallSite {
  uint64_t target = 0;   // virtual address of the called function
  uint64_t address = 0;  // virtual address of the call or jump instruction
  uint64_t offset = 0;   // file offset of the instruction
  bool is_jump = false;  // a tail call
};

// Scans the executable segments of the ELF file `fd` for direct x86 calls and jumps to any of `functions`, given as
// virtual addresses. Returns the sites by address; none if the file is not an ELF file or exceeds its budget
// (file_budget.h).
std::vector<CallSite> find_call_sites(int fd, std::span<const uint64_t> functions);

}  // namespace dscope
