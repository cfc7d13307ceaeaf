// Where the symbols of a stripped ELF file are: in a separate file that its build id or its debug link names, or in a
// small compressed table within it.
#pragma once

#include <libelf.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/fd.h"

namespace dscope {

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

// What tells an ELF file from others, and where it says that its debug file is.
struct DebugReference {
  std::string build_id;  // hexadecimal; empty: none (note NT_GNU_BUILD_ID)
  std::string link;      // name of a file; empty: none (section .gnu_debuglink)
  uint32_t link_crc = 0;
};

DebugReference read_debug_reference(Elf* elf);

// Null if there is none.
Elf_Scn* find_section(Elf* elf, std::string_view name);

// Opens a regular file and nothing that could block or act: such paths are the traced process's choice.
Fd open_regular(const std::string& path);

// The separate debug file of the ELF file that lies at `path`, looked for below `root` ("/proc/<pid>/root" or ""):
// /usr/lib/debug/.build-id/xx/yyyy.debug, then the link beside the file, in .debug there, and below /usr/lib/debug. A
// linked file counts only if its checksum is the expected one. An empty Fd if there is none.
Fd open_debug_file(const DebugReference& reference, const std::string& path, const std::string& root);

// The ELF image in section .gnu_debugdata, which holds the symbols of functions that .dynsym lacks; empty if there is
// none, or it is damaged.
std::vector<char> read_compressed_symbols(Elf* elf);

}  // namespace dscope
