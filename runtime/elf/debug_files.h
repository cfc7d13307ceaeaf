// Finds the symbols of a stripped ELF file: in a separate debug file, named by the build id or the debug link, or in
// the compressed section .gnu_debugdata of the file itself.
#pragma once

#include <libelf.h>

#include <string>
#include <string_view>
#include <vector>

#include "runtime/elf/bounded_elf.h"
#include "runtime/elf/process_maps.h"
#include "support/fd.h"

namespace dscope {

// How an ELF file names its separate debug file.
struct DebugReference {
  std::string build_id;   // hexadecimal, any length (note NT_GNU_BUILD_ID); empty if the file has none
  std::string link;       // file name without directory (section .gnu_debuglink); empty if the file has none
  uint32_t link_crc = 0;  // CRC-32 of the linked file
};

DebugReference read_debug_reference(Elf* elf, FileBudget& budget);

// Null if the file has no section of that name. The section lives as long as `elf`.
Elf_Scn* find_section(Elf* elf, std::string_view name);

// Opens a regular file for reading; an empty Fd for anything else. The traced process may have chosen the path, so
// FIFOs and devices are never opened: opening them blocks or has side effects.
Fd open_regular(const std::string& path);
// Finds a file or directory by a path that another user may have chosen, as a process with this root directory would:
// links and `..` cannot leave `root`, and links of /proc to open files are not followed. The descriptor is O_PATH.
Fd find_in_root(const Fd& root, const std::string& path);
// Opens a regular file that find_in_root() finds. `root`: a directory such as "/proc/<pid>/root"; "" for our own root.
Fd open_in_root(const std::string& root, const std::string& path);
// Opens the file of a mapping of the process for reading, even if the file was deleted, replaced, or is in another
// mount namespace. Empty if it is no regular file or the process has exited. Without the capability to follow
// /proc/<pid>/map_files, the path must lead to the inode that is mapped.
Fd open_mapped_file(uint32_t pid, const Mapping& mapping);
// The content of such a file; empty if it cannot be read or has more than `max_size` bytes.
std::string read_in_root(const std::string& root, const std::string& path, size_t max_size);

// Opens the separate debug file of the ELF file at `path`. All paths are looked up below `root`: "/proc/<pid>/root", or
// "" for our own root. Tries /usr/lib/debug/.build-id/xx/yyyy.debug first, then the debug link in the directory of
// `path`, in its .debug subdirectory, and below /usr/lib/debug. A linked file must match the checksum, which is
// computed within the budget of that file. Returns an empty Fd if there is no such file.
Fd open_debug_file(const DebugReference& reference, const std::string& path, const std::string& root);

// The decompressed ELF image of section .gnu_debugdata, which holds the function symbols that .dynsym lacks. Empty if
// there is no such section, if it is damaged, if it exceeds 256 MiB, or if the budget is used up.
std::vector<char> read_compressed_symbols(Elf* elf, FileBudget& budget);

}  // namespace dscope
