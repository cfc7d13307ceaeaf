// Whether two descriptions of a type are of the same type. Every unit repeats the types of the headers that it
// includes; but types in classes and namespaces may have equal names and sizes, and yet be different: those of two
// instances of a template, or variants of two enums of Rust. Private to runtime/dwarf.
#pragma once

#include "runtime/dwarf/libdw.h"

namespace dscope {

// Compares the names, places and types of the members or enumerators; the types by name and size, through pointers,
// arrays and typedefs. `one` and `other`: structs, unions or enums of equal name and size.
bool have_same_members(const LibDw& dw, const Dwarf_Die& one, const Dwarf_Die& other);

}  // namespace dscope
