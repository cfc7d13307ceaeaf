// Options ctypes and dtypes: prints the types of a run as C text.
#pragma once

#include <string>

#include "contract/types/type.h"

namespace dscope {

enum class TypeOrigin : uint8_t { D, Kernel };

// Returns all named structs, unions, enums and typedefs that D (the language, its libraries, the programs) defines or
// that were imported from the kernel. Members have their offsets in bytes.
std::string dump_types(const TypeTable& types, TypeOrigin origin);

}  // namespace dscope
