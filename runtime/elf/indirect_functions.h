// Indirect functions (STT_GNU_IFUNC): a resolver chooses the implementation for this CPU when the program starts. These
// functions find the words in which the dynamic linker stores the choice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dscope {

// The virtual address of the word that receives the implementation chosen by the resolver at virtual address
// `resolver`. Nothing if the object itself never calls the function.
std::optional<uint64_t> find_indirect_slot(int fd, uint64_t resolver);

// The virtual addresses of the words in the object `fd` that receive the address of another object's function `name`.
std::vector<uint64_t> find_import_slots(int fd, const std::string& name);

}  // namespace dscope
