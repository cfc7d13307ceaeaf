// How C++ passes class objects by value. Private to runtime/dwarf.
#pragma once

#include "runtime/dwarf/libdw.h"

namespace dscope {

// Whether the caller passes the address of a copy, because copying or destroying the object takes a member function
// (Itanium C++ ABI 3.1.2.3). Uses DW_AT_calling_convention where the compiler writes it, else the members of the class.
// `type`: any entry that DW_AT_type refers to.
bool is_passed_by_reference(const LibDw& dw, const Dwarf_Die& type);

}  // namespace dscope
