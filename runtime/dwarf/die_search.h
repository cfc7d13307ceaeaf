// DieSearch: finds the definition of a type or function by its name in a debug file, without an index and without
// visiting most entries. A name occurs once in .debug_str; entries refer to it by a four-byte offset. A scan of the raw
// bytes of .debug_info for this offset finds the units that mention the name, and only these units are walked
// (docs/decisions/0014-types-of-processes-are-found-by-scanning.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/dwarf/debug_file.h"

namespace dscope {

// The components of a type name: "struct foo", "size_t", "ns::Foo<int>".
struct TypeQuery {
  explicit TypeQuery(std::string_view text);

  std::string_view keyword;                 // "struct", "union", "enum" or empty
  std::vector<std::string_view> enclosing;  // "ns", outermost first
  std::string_view name;
};

class DieSearch {
 public:
  // `file` must outlive the search.
  explicit DieSearch(const DebugFile& file) : file_(file), dw_(file.dw()) {}

  // The first definition of the type; declarations do not count. Without a keyword, matches typedefs and basic types,
  // and in languages other than C, structs, unions and enums, too. Types local to functions match if no other type
  // does.
  std::optional<Dwarf_Die> find(const TypeQuery& query);
  // The function of that name, mangled or not, whose code begins at the virtual address `address`.
  std::optional<Dwarf_Die> find_function(std::string_view name, uint64_t address);

 private:
  struct Unit {
    Dwarf_Die die;                          // of the split unit once that is opened
    uint64_t offset = 0;                    // of the unit's first entry in .debug_info
    std::optional<uint64_t> strings_base;   // DW_AT_str_offsets_base
    bool has_own_section = false;           // in .debug_types: always walked, because that section is not scanned
    std::optional<uint64_t> split_id = {};  // of a skeleton unit
    bool is_opened = false;                 // `die` and `is_c` are final
    bool is_c = false;
  };
  struct Walk {
    const TypeQuery& query;
    bool is_c = false, enters_functions = false;
    std::vector<std::string_view> enclosing = {};
    std::optional<Dwarf_Die> found = {};
  };

  void read_units();
  Dwarf_Die entries(Unit& unit) const;
  std::vector<bool> units_that_mention(std::string_view name);
  void mark_unit_of(std::vector<bool>& marks, uint64_t offset) const;
  void mark_units_by_index(std::vector<bool>& marks, const std::vector<uint64_t>& offsets) const;
  void walk_children(Walk& walk, const Dwarf_Die& parent, int depth) const;
  enum class Nested : uint8_t { Leave, Enter };
  std::optional<Dwarf_Die> function_below(const Dwarf_Die& parent, uint64_t address, Nested nested, int depth) const;
  bool begins_at(Dwarf_Die function, uint64_t address) const;
  bool is_wanted(const Walk& walk, const Dwarf_Die& die, int tag) const;

  const DebugFile& file_;
  const LibDw& dw_;
  std::vector<Unit> units_;  // by offset
};

}  // namespace dscope
