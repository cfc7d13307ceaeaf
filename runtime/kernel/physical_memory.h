// Finds the kernel's direct map of physical memory and its array of struct page, both at randomized addresses. With
// them BPF programs read user memory that is in the page cache but not in the page tables.
#pragma once

#include <optional>

#include "contract/machine.h"

namespace dscope {

// Takes about 0.3 ms. Nothing without the privilege to read frame numbers from /proc/self/pagemap, or if the page
// tables have an unknown layout.
std::optional<PhysicalMemory> find_physical_memory(const MemoryOffsets& offsets);

}  // namespace dscope
