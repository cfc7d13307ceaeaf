// DwarfTypes: imports types from DWARF into a TypeTable. Structs, unions and enums have no members until complete() is
// called. Imported rows are marked is_userland: their objects lie in a process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contract/types/type.h"
#include "runtime/dwarf/die_search.h"

namespace dscope {

class DwarfTypes {
 public:
  // Finds the definition of a type that an object only declares. `group`: as passed to import().
  using FindDefinition = std::function<std::optional<Dwarf_Die>(uint32_t group, const std::string& name)>;
  DwarfTypes(const LibDw& dw, FindDefinition find_definition) : dw_(dw), find_definition_(std::move(find_definition)) {}

  // Imports the type that an entry describes. `group` identifies the process: within a group, types of equal name, size
  // and members become one row.
  TypeId import(TypeTable& types, uint32_t group, const Dwarf_Die& die);
  // Adds members or enumerators to a row whose is_complete is false.
  void complete(TypeTable& types, TypeId id);
  // Type::origin of imported rows has this bit.
  static constexpr uint32_t origin_mark = 1U << 31;

 private:
  struct Source {
    uint32_t group = 0;
    Dwarf_Die die;
  };
  struct Imported {
    std::unordered_map<const void*, TypeId> by_entry;
    std::unordered_map<std::string, std::vector<TypeId>> by_name;
  };
  struct Importing {
    TypeTable& types;
    Imported& known;
    uint32_t group = 0;
    int depth = 0;
  };

  Imported& imported_into(const TypeTable& types);
  TypeId import(Importing& to, const std::optional<Dwarf_Die>& die);
  TypeId import_by_tag(Importing& to, const Dwarf_Die& die, int tag);
  TypeId import_basic(Importing& to, const Dwarf_Die& die) const;
  TypeId import_array(Importing& to, const Dwarf_Die& die);
  TypeId import_function(Importing& to, const Dwarf_Die& die);
  TypeId import_typedef(Importing& to, const Dwarf_Die& die);
  bool is_signed_enum(const Dwarf_Die& die) const;
  TypeId import_tagged(Importing& to, Dwarf_Die die, int tag);
  std::optional<TypeId> find_alike(const Importing& to, const std::string& identity, const Dwarf_Die& die) const;
  TypeId opaque(Importing& to, uint64_t size) const;
  TypeId add(Importing& to, const Dwarf_Die& die, Type type);
  uint64_t size_of(const Dwarf_Die& die) const;
  uint32_t address_size(const Dwarf_Die& die) const;
  uint32_t element_count(const Dwarf_Die& subrange) const;

  void add_arguments(Importing& to, TypeId id, const Dwarf_Die& die, int tag);
  void complete_members(Importing& to, TypeId id, const Dwarf_Die& die);
  void complete_variants(Importing& to, TypeId id, const Dwarf_Die& part);
  std::optional<TypeMember> member(Importing& to, const Dwarf_Die& die, int tag, uint64_t whole_size);
  std::optional<uint64_t> member_offset(const Dwarf_Die& die) const;
  void complete_enumerators(TypeTable& types, TypeId id, const Dwarf_Die& die) const;
  bool contains_itself(const Dwarf_Die& die, uint64_t size, int& visits) const;

  const LibDw& dw_;
  FindDefinition find_definition_;
  std::vector<Source> sources_;  // by Type::origin without its mark
  std::unordered_map<const TypeTable*, Imported> imported_;
};

}  // namespace dscope
