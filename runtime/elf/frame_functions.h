// Where the functions of an object are that has lost their names: its tables for unwinding (.eh_frame), which
// exceptions, debuggers and profilers need and no tool strips, have an entry for each.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dscope {

struct FrameFunction {
  uint64_t start, size;  // virtual addresses
  // Begins with a frame that something else has made: what a compiler put elsewhere of a function, as it is seldom
  // executed.
  bool is_part = false;
};

// In the order of the table. What the linker made to reach other objects (.plt) and handlers' returns is left out. A
// damaged table ends where the damage is.
std::vector<FrameFunction> read_frame_functions(Elf* elf);

// Where main() is, as the first instructions of a program of x86-64 pass its address to the C library; nothing if they
// do something else. `start`: those instructions.
std::optional<uint64_t> find_main(std::span<const uint8_t> start, uint64_t address);

}  // namespace dscope
