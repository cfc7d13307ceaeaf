// How C++ passes objects by value. Private to runtime/dwarf.
#pragma once

#include "runtime/dwarf/libdw.h"

namespace dscope {

// Does the caller pass the address of a copy it has made, as only the class knows how to copy or destroy its objects
// (Itanium C++ ABI 3.1.2.3)? Compilers that do not say so leave it to the members of the class to tell. `type`:
// anything that DW_AT_type refers to.
bool is_passed_by_reference(const LibDw& dw, const Dwarf_Die& type);

}  // namespace dscope
