// Where the kernel has all of the machine's memory in its own address space, and the array that describes the pages of
// it: both at random places. From these, programs find user memory that page tables do not show.
#pragma once

#include <optional>

#include "contract/host.h"

namespace dscope {

// Some 0.3 ms. Nothing where the kernel tells nobody the frames of our own pages (no privileges), or is built
// otherwise.
std::optional<PhysicalMemory> find_physical_memory(const MemoryOffsets& offsets);

}  // namespace dscope
