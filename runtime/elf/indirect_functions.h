// Functions that are chosen when a program starts (STT_GNU_IFUNC), by what the CPU can: where the choice is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dscope {

// The address, in the object, of the word that the dynamic linker fills with the function that was chosen, for the one
// that chooses at `address`. Nothing if the object itself never calls it.
std::optional<uint64_t> find_indirect_slot(int fd, uint64_t address);

// The same words in an object that uses the function of another one, by its name.
std::vector<uint64_t> find_import_slots(int fd, const std::string& name);

}  // namespace dscope
