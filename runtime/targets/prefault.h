// Maps the constants and code of a process into its page tables. BPF programs cannot wait for a page fault, so
// copyinstr() of a string literal that the process itself has not read yet would fail.
#pragma once

#include <cstdint>

namespace dscope {

// Reads all pages of the program and the libraries of the process, up to 64 MiB. The process cannot notice it. Does
// nothing if the process has exited.
void prefault_mapped_files(uint32_t pid);

}  // namespace dscope
