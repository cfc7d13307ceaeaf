// The functions of a stripped object, from its unwind table (.eh_frame): the table has an entry for each function, and
// no tool strips it because exceptions, debuggers and profilers need it.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/elf/file_budget.h"

namespace dscope {

struct FrameFunction {
  uint64_t start, size;  // virtual address, bytes
  // A cold part that the compiler moved out of another function: it begins with that function's frame set up.
  bool is_cold_part = false;
};

// The functions in table order, without linker stubs (.plt) and signal trampolines. Stops at the first damaged entry
// and when the budget is used up.
std::vector<FrameFunction> read_frame_functions(Elf* elf, FileBudget& budget);

// The virtual address of main(). `start` is the code of an x86-64 program at its entry point, `address` the entry
// point: _start passes main's address in rdi to __libc_start_main. Nothing if the code loads no address into rdi.
std::optional<uint64_t> find_main(std::span<const uint8_t> start, uint64_t address);

}  // namespace dscope
