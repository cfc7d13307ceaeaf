// The entries of .eh_frame: one for each function, with the instructions that describe its frame. Bounded by the size
// of the section and by the budget.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "runtime/elf/file_budget.h"

namespace dscope {

struct FrameSection {
  std::span<const uint8_t> bytes;
  uint64_t address = 0;    // virtual
  unsigned word_size = 8;  // bytes
};

// The part that many functions share: a common information entry (CIE).
struct FrameCommon {
  uint8_t encoding = 0;                // DW_EH_PE_ of addresses
  bool has_augmentation_size = false;  // entries state the size of their augmentation data
  bool is_known = true;                // false: it has data that we cannot skip
  bool is_signal_frame = false;
  uint64_t code_alignment = 1;
  int64_t data_alignment = 1;
  uint64_t return_register = 0;
  std::span<const uint8_t> instructions;
};

struct FrameEntry {
  uint64_t start = 0, size = 0;  // virtual address, bytes; size is not 0
  std::span<const uint8_t> instructions;
  const FrameCommon& common;
};

// Calls `visit` for each entry in table order, and stops at the first damaged one.
void for_each_frame_entry(const FrameSection& section, FileBudget& budget,
                          const std::function<void(const FrameEntry&)>& visit);

}  // namespace dscope
