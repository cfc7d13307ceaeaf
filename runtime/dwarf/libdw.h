// libdw, the DWARF reader of elfutils, opened when a type of a process is asked for and never before. Declares what is
// used of it (libdw.def) as one table of functions. Private to runtime/dwarf.
#pragma once

#include <elfutils/libdw.h>
#include <gelf.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace dscope {

struct LibDw {
#define DS_LIBDW(name) decltype(&::name) name = nullptr;
#include "runtime/dwarf/libdw.def"
#undef DS_LIBDW

  // Empty if the entry has none.
  std::string_view name(Dwarf_Die die) const;
  // Constant attributes, looked for at what the entry completes too (DW_AT_specification, DW_AT_abstract_origin).
  std::optional<uint64_t> number(Dwarf_Die die, unsigned attribute) const;
  std::optional<int64_t> signed_number(Dwarf_Die die, unsigned attribute) const;
  // One that is written with as few bytes as hold it, or with a sign (DW_AT_const_value).
  std::optional<int64_t> constant(Dwarf_Die die, unsigned attribute) const;
  // The entry that an attribute (DW_AT_type, say) refers to.
  std::optional<Dwarf_Die> reference(Dwarf_Die die, unsigned attribute) const;
  bool has(Dwarf_Die die, unsigned attribute) const;
  std::optional<Dwarf_Die> first_child(Dwarf_Die die) const;
  std::optional<Dwarf_Die> next_sibling(Dwarf_Die die) const;
  // Where the entries of a unit are: for one compiled with -gsplit-dwarf in a file of its own (.dwo), which is opened;
  // nothing if they are in `unit` itself, or that file is not to be had.
  std::optional<Dwarf_Die> split_part(const Dwarf_Die& unit) const;
};

// The library, opened at the first call; null if there is none on this machine. It stays open.
const LibDw* find_libdw();

}  // namespace dscope
