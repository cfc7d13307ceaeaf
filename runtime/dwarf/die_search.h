// DieSearch: finds the definition of a type, or a function, by its name among all that a debug file describes, without
// an index and without visiting most of it. A name is written once, in .debug_str; what refers to it there, by four
// bytes that hold its offset, is found by a scan of the raw bytes of .debug_info. Only units with such bytes are
// walked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/dwarf/debug_file.h"

namespace dscope {

// "struct foo", "size_t", "ns::Foo<int>" taken apart.
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

  // The first definition; if there is none, nothing: not a mere declaration. Typedefs and basic types are found without
  // keyword, and in C++, Rust and the like anything else too. Types within functions are found if no other has the
  // name.
  std::optional<Dwarf_Die> find(const TypeQuery& query);
  // The function of that name, or mangled name, whose code begins at `address` of the object.
  std::optional<Dwarf_Die> find_function(std::string_view name, uint64_t address);

 private:
  struct Unit {
    Dwarf_Die die;                         // of the part, once that was asked for
    uint64_t offset = 0;                   // of the unit's first entry in .debug_info
    std::optional<uint64_t> strings_base;  // DW_AT_str_offsets_base
    bool has_own_section = false;          // .debug_types: must be walked
    std::optional<uint64_t> part = {};     // in a file of its own, as its names are
    bool is_opened = false;                // what follows is known
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
  void mark_units_by_index(std::vector<bool>& marks, uint64_t at) const;
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
