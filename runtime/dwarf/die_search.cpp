#include "runtime/dwarf/die_search.h"

#include <dwarf.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <limits>
#include <set>

namespace dscope {

namespace {

constexpr std::string_view keywords[] = {"struct", "union", "enum"};

// The position of the `::` after the first component of a name, template arguments skipped.
size_t end_of_component(std::string_view name) {
  int depth = 0;
  for (size_t at = 0; at + 1 < name.size(); ++at) {
    depth += name[at] == '<';
    depth -= name[at] == '>';
    if (depth <= 0 && name[at] == ':' && name[at + 1] == ':') return at;
  }
  return std::string_view::npos;
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A set of numbers to search for at every byte of a section.
class NumberSet {
 public:
  explicit NumberSet(std::vector<uint32_t> numbers) : numbers_(std::move(numbers)) {
    std::sort(numbers_.begin(), numbers_.end());
    for (uint32_t number : numbers_) low_halves_.set(number & 0xffff);
  }
  bool is_empty() const { return numbers_.empty(); }

  template <typename Found>
  void scan(std::span<const std::byte> bytes, const Found& found) const {
    for (size_t at = 0; at + sizeof(uint32_t) <= bytes.size(); ++at) {
      uint16_t low = 0;
      std::memcpy(&low, bytes.data() + at, sizeof low);
      if (!low_halves_[low]) continue;
      uint32_t number = 0;
      std::memcpy(&number, bytes.data() + at, sizeof number);
      if (std::binary_search(numbers_.begin(), numbers_.end(), number)) found(at);
    }
  }

 private:
  std::vector<uint32_t> numbers_;
  std::bitset<1 << 16> low_halves_;
};

// The offsets of all occurrences of `wanted`, which includes its NUL. The ends of longer strings count: linkers merge
// strings that way.
std::vector<uint32_t> offsets_of(std::string_view strings, const std::string& wanted) {
  std::vector<uint32_t> offsets;
  for (size_t at = strings.find(wanted); at != std::string_view::npos; at = strings.find(wanted, at + 1))
    if (at <= std::numeric_limits<uint32_t>::max()) offsets.push_back(static_cast<uint32_t>(at));
  return offsets;
}

bool is_c_language(int language) {
  constexpr std::array languages = {DW_LANG_C89, DW_LANG_C, DW_LANG_C99, DW_LANG_C11};
  return std::find(languages.begin(), languages.end(), language) != languages.end();
}

bool holds_types(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_union_type || tag == DW_TAG_module;
}

bool is_code(int tag) { return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block; }

}  // namespace

TypeQuery::TypeQuery(std::string_view text) : name(text) {
  for (std::string_view word : keywords)
    if (text.starts_with(word) && text.size() > word.size() && text[word.size()] == ' ') {
      keyword = word;
      name.remove_prefix(word.size() + 1);
    }
  for (size_t at = end_of_component(name); at != std::string_view::npos; at = end_of_component(name)) {
    if (at > 0) enclosing.push_back(name.substr(0, at));
    name.remove_prefix(at + 2);
  }
}

// ---------------------------------------------------------------- units

void DieSearch::read_units() {
  if (!units_.empty()) return;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  uint8_t kind = 0;
  Dwarf_Half version = 0;
  while (file_.budget().has_time() &&
         dw_.dwarf_get_units(file_.dwarf(), unit, &unit, &version, &kind, &die, nullptr) == 0) {
    constexpr Dwarf_Half last_with_own_section = 4;
    units_.push_back({.die = die,
                      .offset = dw_.dwarf_dieoffset(&die),
                      .strings_base = dw_.number(die, DW_AT_str_offsets_base),
                      .has_own_section = kind == DW_UT_type && version <= last_with_own_section,
                      .split_id = file_.split_unit_id(die)});
  }
  std::stable_sort(units_.begin(), units_.end(), [](const Unit& a, const Unit& b) {
    return std::pair{a.has_own_section, a.offset} < std::pair{b.has_own_section, b.offset};
  });
}

// The root entry of a unit; for a skeleton unit, that of its split unit.
Dwarf_Die DieSearch::entries(Unit& unit) const {
  if (!unit.is_opened && unit.split_id) unit.die = file_.split_unit(unit.die).value_or(unit.die);
  if (!unit.is_opened) unit.is_c = is_c_language(dw_.dwarf_srclang(&unit.die));
  unit.is_opened = true;
  return unit.die;
}

// Marks the unit that contains the byte at `offset` of .debug_info.
void DieSearch::mark_unit_of(std::vector<bool>& marks, uint64_t offset) const {
  auto above = std::upper_bound(units_.begin(), units_.end(), offset, [](uint64_t wanted, const Unit& unit) {
    return unit.has_own_section || wanted < unit.offset;
  });
  if (above != units_.begin()) marks[static_cast<size_t>(above - units_.begin()) - 1] = true;
}

// Marks the units whose string tables contain one of the `offsets` of .debug_str_offsets: those with the nearest base
// below it. Both may be many, so neither is searched for each of the other.
void DieSearch::mark_units_by_index(std::vector<bool>& marks, const std::vector<uint64_t>& offsets) const {
  std::set<uint64_t> bases, nearest;
  for (const Unit& unit : units_)
    if (unit.strings_base) bases.insert(*unit.strings_base);
  for (uint64_t at : offsets)
    if (auto above = bases.upper_bound(at); above != bases.begin()) nearest.insert(*std::prev(above));
  for (size_t i = 0; i < units_.size(); ++i)
    if (units_[i].strings_base && nearest.contains(*units_[i].strings_base)) marks[i] = true;
}

std::vector<bool> DieSearch::units_that_mention(std::string_view name) {
  std::vector<bool> marks(units_.size());
  // The strings that dwz moved to a shared file are not searched: any unit may mention the name.
  if (!file_.section("gnu_debugaltlink").empty()) return std::vector<bool>(units_.size(), true);
  auto split_units = file_.split_units_mentioning(name);
  for (size_t i = 0; i < units_.size(); ++i) {
    const Unit& unit = units_[i];
    marks[i] = unit.has_own_section || (unit.split_id && (!split_units || split_units->contains(*unit.split_id)));
  }
  const std::string wanted = std::string{name} + '\0';
  std::span<const std::byte> entries = file_.section("debug_info");
  for (uint32_t offset : offsets_of(as_text(entries), wanted)) mark_unit_of(marks, offset);
  NumberSet references{offsets_of(as_text(file_.section("debug_str")), wanted)};
  if (references.is_empty()) return marks;
  references.scan(entries, [&](uint64_t at) { mark_unit_of(marks, at); });
  std::vector<uint64_t> indexed;
  references.scan(file_.section("debug_str_offsets"), [&](uint64_t at) { indexed.push_back(at); });
  mark_units_by_index(marks, indexed);
  return marks;
}

// ---------------------------------------------------------------- types

std::optional<Dwarf_Die> DieSearch::find(const TypeQuery& query) {
  if (query.name.empty()) return std::nullopt;
  file_.budget().restart_clock();
  read_units();
  std::vector<bool> marks = units_that_mention(query.name);
  for (bool enters_functions : {false, true}) {
    for (size_t i = 0; i < units_.size(); ++i) {
      if (!marks[i]) continue;
      Dwarf_Die unit = entries(units_[i]);
      Walk walk{.query = query, .is_c = units_[i].is_c, .enters_functions = enters_functions};
      walk_children(walk, unit, 0);
      if (walk.found) return walk.found;
    }
  }
  return std::nullopt;
}

void DieSearch::walk_children(Walk& walk, const Dwarf_Die& parent, int depth) const {
  constexpr int max_depth = 64;
  if (depth == max_depth) return;
  for (auto child = dw_.first_child(parent); child && !walk.found && file_.budget().has_time();
       child = dw_.next_sibling(*child)) {
    int tag = dw_.dwarf_tag(&*child);
    if (is_wanted(walk, *child, tag)) {
      walk.found = child;
      return;
    }
    // In C, nothing declared inside a struct has a name of its own scope.
    bool is_entered = walk.is_c ? false : holds_types(tag);
    if (!is_entered && !(walk.enters_functions && is_code(tag))) continue;
    std::string_view name = is_code(tag) ? std::string_view{} : dw_.name(*child);
    if (!name.empty()) walk.enclosing.push_back(name);
    walk_children(walk, *child, depth + 1);
    if (!name.empty()) walk.enclosing.pop_back();
  }
}

bool DieSearch::is_wanted(const Walk& walk, const Dwarf_Die& die, int tag) const {
  std::string_view keyword;
  switch (tag) {
    case DW_TAG_class_type:
    case DW_TAG_structure_type: keyword = "struct"; break;
    case DW_TAG_union_type: keyword = "union"; break;
    case DW_TAG_enumeration_type: keyword = "enum"; break;
    case DW_TAG_typedef:
    case DW_TAG_base_type: break;
    default: return false;
  }
  const TypeQuery& query = walk.query;
  bool is_plain_name = query.keyword.empty() && !walk.is_c;
  if (keyword != query.keyword && !is_plain_name) return false;
  if (dw_.name(die) != query.name || dw_.has(die, DW_AT_declaration)) return false;
  // Enclosing scopes may be omitted in the query, as those of inline namespaces are in std::string.
  auto named = query.enclosing.begin();
  for (std::string_view scope : walk.enclosing)
    if (named != query.enclosing.end() && *named == scope) ++named;
  return named == query.enclosing.end();
}

// ---------------------------------------------------------------- functions

// The name selects the units, the address the function: a function may have several copies (inlined, cloned), and
// several units may have static functions of one name.
std::optional<Dwarf_Die> DieSearch::find_function(std::string_view name, uint64_t address) {
  if (name.empty()) return std::nullopt;
  file_.budget().restart_clock();
  read_units();
  std::vector<bool> marks = units_that_mention(name);
  for (Nested nested : {Nested::Leave, Nested::Enter}) {
    for (size_t i = 0; i < units_.size(); ++i) {
      if (!marks[i]) continue;
      if (auto found = function_below(entries(units_[i]), address, nested, 0)) return found;
    }
    // Link-time optimization may put the code into another unit than the name.
    Dwarf_Die unit;
    bool is_known = dw_.dwarf_addrdie(file_.dwarf(), address, &unit) != nullptr;
    if (auto found = is_known ? function_below(unit, address, nested, 0) : std::nullopt) return found;
  }
  return std::nullopt;
}

// A function whose code is in several pieces has ranges; the one that begins at its entry need not be the first.
bool DieSearch::begins_at(Dwarf_Die function, uint64_t address) const {
  Dwarf_Addr start = 0;
  if (dw_.dwarf_lowpc(&function, &start) == 0 && start == address) return true;
  return dw_.has(function, DW_AT_ranges) && dw_.dwarf_haspc(&function, address) == 1;
}

// Definitions lie at the top of a unit or in namespaces; those of member functions refer to a declaration in the class.
// In Fortran, Ada and Pascal they also lie in other functions and in classes.
std::optional<Dwarf_Die> DieSearch::function_below(const Dwarf_Die& parent, uint64_t address, Nested nested,
                                                   int depth) const {
  constexpr int max_depth = 16;
  for (auto child = dw_.first_child(parent); child && file_.budget().has_time(); child = dw_.next_sibling(*child)) {
    int tag = dw_.dwarf_tag(&*child);
    if (tag == DW_TAG_subprogram && begins_at(*child, address)) return child;
    bool is_entered = tag == DW_TAG_namespace || tag == DW_TAG_module;
    if (nested == Nested::Enter)
      is_entered |= tag == DW_TAG_subprogram || tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
    if (!is_entered || depth == max_depth) continue;
    if (auto found = function_below(*child, address, nested, depth + 1)) return found;
  }
  return std::nullopt;
}

}  // namespace dscope
