// ElfSymbols: the functions and variables of one ELF file by virtual address, from .symtab and .dynsym, or from the
// debug file of a stripped file (debug_files.h). Functions without any symbol are named by their addresses: fun_401136.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/elf/range_index.h"
#include "runtime/elf/symbol_table.h"

namespace dscope {

class ElfSymbols {
 public:
  // Reads the ELF file `fd`; the result has no symbols if it is not an ELF file or exceeds its budget
  // (file_budget.h). A separate debug file is searched for
  // as that of `path`, first below `root` ("/proc/<pid>/root"), then below our own root; an empty `path` disables the
  // search by debug link. `keeps_all_names`: functions() lists aliases, too.
  static std::unique_ptr<ElfSymbols> read(int fd, const std::string& path = "", const std::string& root = "",
                                          bool keeps_all_names = false);
  // The symbols of an ELF image in memory (the vDSO). Keeps no reference to it.
  static std::unique_ptr<ElfSymbols> from_memory(std::span<char> image);

  std::optional<SymbolTable::Found> find(uint64_t virtual_address) const { return symbols_.find(virtual_address); }
  // The virtual address of the first symbol of that name. A linear search.
  std::optional<uint64_t> find_name(std::string_view name) const;
  // The virtual address of the symbol of that name; nothing if several addresses have it.
  std::optional<uint64_t> find_unique(std::string_view name) const;
  // The virtual address of a file offset by the program headers; the offset itself if no segment contains it.
  uint64_t virtual_address(uint64_t file_offset) const { return segment_address(file_offset).value_or(file_offset); }
  // The virtual address of a file offset, also in the zeroed memory (.bss) after a segment's bytes; nothing if no
  // segment contains it.
  std::optional<uint64_t> segment_address(uint64_t file_offset) const;
  // The file offset of a virtual address; nothing if the file has no byte for it.
  std::optional<uint64_t> file_offset(uint64_t virtual_address) const;

  struct Function {
    std::string_view name;
    uint64_t offset, size;  // file offset, bytes; size 0 if the symbol states none and no symbol follows
    // A resolver (STT_GNU_IFUNC): it runs once, before the first call, and returns the implementation to call.
    bool is_indirect = false;
  };
  // All functions by file offset; the best name of a function comes first, its aliases only if they were kept. The
  // names are valid as long as this object.
  std::vector<Function> functions() const;

  bool is_32bit() const { return is_32bit_; }
  bool is_go() const { return is_go_; }
  // Whether Go's own table has a function at a virtual address that is not written in assembler.
  bool is_go_function(uint64_t address) const;
  // Go functions receive arguments in registers: the file is a program of Go 1.18 or later.
  bool passes_registers_as_go() const { return passes_registers_as_go_; }
  // The version of the Go compiler, "go1.19.8"; empty if it is not known.
  const std::string& go_version() const { return go_version_; }
  // Only dynamic symbols were found: neither .symtab nor a debug file.
  bool is_stripped() const { return is_stripped_; }
  // The number of functions that are named by their addresses.
  size_t unnamed_function_count() const { return unnamed_function_count_; }
  // The code section that contains a file offset.
  struct CodeSection {
    uint64_t offset, size;  // in the file, in bytes
  };
  std::optional<CodeSection> code_section_around(uint64_t file_offset) const;
  // Bytes of all code sections, overlapping parts counted once.
  uint64_t code_size() const { return code_by_offset_.size(); }

 private:
  friend class ElfReader;
  struct Segment {
    uint64_t offset, size, address;
    uint64_t memory_size;  // at least `size`; the rest is zeroed
  };

  std::vector<Segment> segments_;
  RangeIndex by_offset_, by_memory_offset_, by_address_;  // indexes of segments; with the zeroed memory; by address
  std::vector<CodeSection> code_;
  RangeIndex code_by_offset_;
  std::vector<uint64_t> indirect_;  // virtual addresses, ascending
  SymbolTable symbols_;
  size_t unnamed_function_count_ = 0;
  std::string go_version_;
  std::vector<uint64_t> go_functions_;  // virtual addresses, ascending
  bool is_32bit_ = false, is_stripped_ = false, is_go_ = false, passes_registers_as_go_ = false;
};

}  // namespace dscope
