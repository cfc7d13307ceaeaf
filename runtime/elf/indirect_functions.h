// Indirect functions (STT_GNU_IFUNC): a resolver chooses the implementation for this CPU when the program starts. The
// dynamic linker stores the choice in words of the object itself and of the objects that import the function.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace dscope {

// Virtual addresses of words ("slots") in one object.
struct IndirectSlots {
  // The word that receives the implementation, by the virtual address of the resolver. An object that never calls the
  // function itself has none.
  std::unordered_map<uint64_t, uint64_t> by_resolver;
  // The words that receive the address of another object's function, by its name.
  std::unordered_map<std::string, std::vector<uint64_t>> imports;
};

// The slots of the object `fd`, from one pass over its relocations. Empty if it exceeds its budget (file_budget.h).
IndirectSlots read_indirect_slots(int fd);

}  // namespace dscope
