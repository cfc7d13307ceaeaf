// Static probes of programs (USDT): the notes that <sys/sdt.h> leaves in an ELF file (section .note.stapsdt).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dscope {

struct StapsdtNote {
  std::string provider, name;
  std::string arguments;   // "-4@%edi 8@-80(%rbx)"
  uint64_t address = 0;    // virtual, of the instruction
  uint64_t offset = 0;     // of it in the file
  uint64_t semaphore = 0;  // offset in the file of the counter of those who watch; 0: none
};

// In the order of the notes; those that are damaged or in no loaded part of the file are left out.
std::vector<StapsdtNote> read_stapsdt_notes(int fd);

}  // namespace dscope
