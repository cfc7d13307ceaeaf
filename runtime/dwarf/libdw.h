// LibDw: libdw, the DWARF reader of elfutils, as a table of functions (libdw.def). It is opened by dlopen(3) at the
// first use, because opening it takes 0.8 ms and few scripts need it. Private to runtime/dwarf.
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

  // DW_AT_name; empty if the entry has none.
  std::string_view name(Dwarf_Die die) const;
  // The value of a constant attribute. Looks at the entries that this one completes, too (DW_AT_specification,
  // DW_AT_abstract_origin). Nothing if there is no such attribute.
  std::optional<uint64_t> number(Dwarf_Die die, unsigned attribute) const;
  std::optional<int64_t> signed_number(Dwarf_Die die, unsigned attribute) const;
  // A constant whose form decides whether it has a sign (DW_AT_const_value).
  std::optional<int64_t> constant(Dwarf_Die die, unsigned attribute) const;
  // The entry that an attribute refers to, DW_AT_type for example.
  std::optional<Dwarf_Die> reference(Dwarf_Die die, unsigned attribute) const;
  bool has(Dwarf_Die die, unsigned attribute) const;
  std::optional<Dwarf_Die> first_child(Dwarf_Die die) const;
  std::optional<Dwarf_Die> next_sibling(Dwarf_Die die) const;
  // The split unit of a skeleton unit (-gsplit-dwarf), whose .dwo file libdw opens. Nothing if `unit` is no skeleton or
  // the file cannot be opened.
  std::optional<Dwarf_Die> split_unit(const Dwarf_Die& unit) const;
};

// The library, opened at the first call and never closed; null if it is not installed.
const LibDw* find_libdw();

}  // namespace dscope
