// Static probes of programs (USDT): the notes that <sys/sdt.h> and the headers made by `dscope -h` leave in an ELF file
// (section .note.stapsdt), and the provider definitions beside them.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "contract/defined_provider.h"

namespace dscope {

struct StapsdtNote {
  std::string provider, name;
  // Operands in assembler syntax, "-4@%edi 8@-80(%rbx)": the size in bytes, negative for a signed value, then the
  // location. The pseudo-register %site is the address of the probe instruction; it replaces %rip.
  std::string arguments;
  uint64_t address = 0;       // virtual address of the probe instruction
  uint64_t offset = 0;        // file offset of the probe instruction
  uint32_t address_size = 8;  // bytes; 4 in 32-bit programs
  uint64_t semaphore = 0;     // file offset of the USDT semaphore; 0 if the probe has none
};

struct StaticProbes {
  std::vector<StapsdtNote> notes;            // in file order
  std::vector<DefinedProvider> definitions;  // of providers built with -h or -G; may contain duplicates
};
// The static probes of a program or library. Skips notes that are damaged, whose function the linker discarded, or
// whose address is in no executable segment, or whose semaphore is in a segment that is not writable. Empty if the file
// exceeds its budget (file_budget.h).
StaticProbes read_static_probes(int fd);
// The notes of an object that is not linked yet: only provider, name and arguments, because addresses are unresolved.
std::vector<StapsdtNote> read_stapsdt_texts(Elf* object);

}  // namespace dscope
