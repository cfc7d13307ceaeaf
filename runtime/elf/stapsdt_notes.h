// Static probes of programs (USDT): the notes that <sys/sdt.h> and headers of -h
// leave in an ELF file (section .note.stapsdt), and the definitions beside them.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "contract/defined_provider.h"

namespace dscope {

struct StapsdtNote {
  std::string provider, name;
  // "-4@%edi 8@-80(%rbx)"; %site, which no processor has, is the address of the probe's instruction.
  std::string arguments;
  uint64_t address = 0;       // virtual, of the instruction
  uint64_t offset = 0;        // of it in the file
  uint32_t address_size = 8;  // 4 in programs of 32 bits
  uint64_t semaphore = 0;     // offset in the file of the counter of those who watch; 0: none
};

struct StaticProbes {
  std::vector<StapsdtNote> notes;            // in their order
  std::vector<DefinedProvider> definitions;  // of the providers that were built with -h or -G; may repeat
};
// Of a program or library; notes that are damaged or in no loaded part of the file are left out.
StaticProbes read_static_probes(int fd);
// Only the texts: of an object that is not linked yet, whose notes have no addresses.
std::vector<StapsdtNote> read_stapsdt_texts(Elf* object);

}  // namespace dscope
