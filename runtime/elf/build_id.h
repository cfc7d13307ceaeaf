// Build-ids: the identity that the linker gives to a file (note NT_GNU_BUILD_ID), in hexadecimal.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// Empty if the file has none, is no ELF file, or exceeds its budget (file_budget.h).
std::string read_build_id(int fd);
// The build-id of the running kernel; empty if it is unknown.
std::string running_kernel_build_id();
// The build-id in the content of an ELF section of notes; empty if there is none.
std::string build_id_in_notes(std::string_view notes);

}  // namespace dscope
