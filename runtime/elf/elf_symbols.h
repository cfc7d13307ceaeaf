// ElfSymbols: functions and objects of one ELF file by virtual address, from .symtab and .dynsym, or from what
// debug_files.h finds for a stripped file. Functions whose names are lost are called by their addresses: fun_401136.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/elf/symbol_table.h"

namespace dscope {

class ElfSymbols {
 public:
  // Without symbols if it is no ELF file. `path` and `root` ("" or "/proc/<pid>/root") tell where separate debug files
  // are looked for, first below `root`, then here; `path` may be empty.
  static std::unique_ptr<ElfSymbols> read(int fd, const std::string& path = "", const std::string& root = "",
                                          bool keeps_all_names = false);
  // The image of an ELF file in memory (the vdso).
  static std::unique_ptr<ElfSymbols> from_memory(std::span<char> image);

  std::optional<SymbolTable::Found> find(uint64_t virtual_address) const { return symbols_.find(virtual_address); }
  // The virtual address of a symbol. Looks at all of them.
  std::optional<uint64_t> find_name(std::string_view name) const;
  // The same; nothing if several places have that name.
  std::optional<uint64_t> find_only(std::string_view name) const;
  // Where a byte of the file is mapped according to the program headers, or what follows a segment's bytes: variables
  // that begin as zero (.bss); `file_offset` itself if no segment holds it.
  uint64_t virtual_address(uint64_t file_offset) const { return segment_address(file_offset).value_or(file_offset); }
  // The same; nothing if no segment holds it.
  std::optional<uint64_t> segment_address(uint64_t file_offset) const;
  // The other way round; nothing if the address is in no part of the file.
  std::optional<uint64_t> file_offset(uint64_t virtual_address) const;

  struct Function {
    std::string_view name;
    uint64_t offset, size;  // in the file; size 0: unknown, and nothing follows
    // The code chooses which function is meant, and is executed once, before any call of it (STT_GNU_IFUNC).
    bool is_indirect = false;
  };
  // By offset; of the names of one function the best is first, the others only if they were kept.
  std::vector<Function> functions() const;

  bool is_32bit() const { return is_32bit_; }
  // Only the names that other objects may use are known.
  bool is_stripped() const { return is_stripped_; }
  // How many functions are called by their addresses.
  size_t nameless_functions() const { return nameless_functions_; }
  // The part of the file that holds this byte of it and is code from its beginning on: a section.
  struct Part {
    uint64_t offset, size;
  };
  std::optional<Part> code_around(uint64_t file_offset) const;

 private:
  friend class ElfReader;
  struct Segment {
    uint64_t offset, size, address;
    uint64_t memory_size;  // `size` or more: the rest is zero
  };

  std::vector<Segment> segments_;
  std::vector<Part> code_;
  std::vector<uint64_t> indirect_;  // addresses, ascending
  SymbolTable symbols_;
  size_t nameless_functions_ = 0;
  bool is_32bit_ = false, is_stripped_ = false;
};

}  // namespace dscope
