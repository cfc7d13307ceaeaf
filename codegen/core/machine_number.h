// A number that the code contains and that may differ on another machine. The code of a portable program has a symbol
// at each instruction with such a number: "ds_late_" and the index of the number. The process that loads the code
// writes the number of its own machine into the instruction (src/contract/late_code.h).
#pragma once

#include <cstdint>
#include <optional>

namespace dscope {

struct MachineNumber {
  uint64_t now = 0;               // on the machine for which the code is compiled
  std::optional<uint32_t> index;  // into IrModule::late_numbers; nullopt: `now` is compiled in

  // NOLINTNEXTLINE(google-explicit-constructor): most numbers are compiled in.
  MachineNumber(uint64_t number = 0) : now(number) {}
  MachineNumber(uint64_t number, uint32_t late_index) : now(number), index(late_index) {}
};

}  // namespace dscope
