// Indirect functions (STT_GNU_IFUNC): symbols like strlen stand for code that chooses the one for this CPU. Which one
// it was is written where the object itself calls it.
#pragma once

#include <cstdint>
#include <optional>

namespace dscope {

// Where the dynamic linker keeps the address that it was told by the choosing code at `address` of the object: an
// address of the object too. Nothing if the object does not call the function itself.
std::optional<uint64_t> find_indirect_slot(int fd, uint64_t address);

}  // namespace dscope
