#include "runtime/dwarf/code_scopes.h"

#include <dwarf.h>

#include <algorithm>
#include <set>

namespace dscope {
namespace {

constexpr int max_nesting = 64;  // of blocks, and of namespaces
constexpr size_t max_variables = 4096;

bool is_block(int tag) {
  return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_try_block ||
         tag == DW_TAG_catch_block;
}

bool holds_functions(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_subprogram;
}

}  // namespace

void CodeScopes::add_ranges(Dwarf_Die die, std::vector<Range>& to) const {
  Dwarf_Addr base = 0, low = 0, high = 0;
  ptrdiff_t offset = 0;
  // Code that the linker dropped has ranges that start at 0 or at the highest address.
  while (file_.budget().has_time() && (offset = dw_.dwarf_ranges(&die, offset, &base, &low, &high)) > 0)
    if (low != 0 && low < high) to.push_back({low, high, die});
}

const CodeScopes::Range* CodeScopes::find_range(const std::vector<Range>& ranges, uint64_t address) {
  auto above = std::ranges::upper_bound(ranges, address, {}, &Range::low);
  // Ranges do not nest, but damaged files may have any: look at a few below.
  for (int tries = 0; tries < 4 && above != ranges.begin(); ++tries)
    if ((--above)->high > address) return &*above;
  return nullptr;
}

void CodeScopes::collect_functions(const Dwarf_Die& parent, std::vector<Range>& to, int depth) const {
  for (auto child = dw_.first_child(parent); child && file_.budget().has_time(); child = dw_.next_sibling(*child)) {
    int tag = dw_.dwarf_tag(&*child);
    if (tag == DW_TAG_subprogram) add_ranges(*child, to);
    if (holds_functions(tag) && depth < max_nesting) collect_functions(*child, to, depth + 1);
  }
}

const std::vector<CodeScopes::Range>& CodeScopes::functions_of(const Dwarf_Die& unit) {
  Dwarf_Die die = unit;
  auto [entry, is_new] = functions_.try_emplace(dw_.dwarf_dieoffset(&die));
  if (!is_new) return entry->second;
  collect_functions(file_.split_unit(unit).value_or(unit), entry->second, 0);
  std::ranges::sort(entry->second, {}, &Range::low);
  return entry->second;
}

std::optional<CodeScope> CodeScopes::find(uint64_t address, const SourceLine& line) {
  if (!units_) {
    units_.emplace();
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (file_.budget().has_time() &&
           dw_.dwarf_get_units(file_.dwarf(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0)
      add_ranges(die, *units_);
    std::ranges::sort(*units_, {}, &Range::low);
  }
  const Range* unit = find_range(*units_, address);
  if (unit == nullptr) return std::nullopt;
  const Range* function = find_range(functions_of(unit->die), address);
  if (function == nullptr) return std::nullopt;
  CodeScope scope{.subprogram = function->die,
                  .function = function->die,
                  .blocks = {function->die},
                  .unit = file_.split_unit(unit->die).value_or(unit->die),
                  .start = function->low};
  Dwarf_Addr low = 0;
  if (dw_.dwarf_lowpc(&scope.subprogram, &low) == 0) scope.start = low;
  enter_blocks(scope, address, line);
  return scope;
}

void CodeScopes::enter_blocks(CodeScope& scope, uint64_t address, SourceLine line) const {
  for (int depth = 0; depth < max_nesting && file_.budget().has_time(); ++depth) {
    if (line.number != 0) line.first = first_line(scope.function, line);
    auto inner = block_around(scope.blocks.front(), address, line);
    if (!inner) break;
    bool is_function = dw_.dwarf_tag(&*inner) == DW_TAG_inlined_subroutine;
    if (is_function) {
      scope.function = *inner;
      scope.outer.insert(scope.outer.begin(), scope.blocks.begin(), scope.blocks.end());
      scope.blocks.clear();
    }
    scope.blocks.insert(scope.blocks.begin(), *inner);
  }
  if (line.number != 0) leave_called_functions(scope, line);
}

// Compilers mix the instructions of a line with those of the functions that are inlined beside it. The line decides:
// the scope ends with the innermost function whose source contains it, if any does.
void CodeScopes::leave_called_functions(CodeScope& scope, const SourceLine& line) const {
  if (first_line(scope.function, line) != 0) return;
  auto contains_line = [&](const Dwarf_Die& block) {
    Dwarf_Die die = block;
    int tag = dw_.dwarf_tag(&die);
    return (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) && first_line(block, line) != 0;
  };
  auto function = std::ranges::find_if(scope.outer, contains_line);
  if (function == scope.outer.end()) return;
  auto is_function = [&](Dwarf_Die block) { return dw_.dwarf_tag(&block) == DW_TAG_inlined_subroutine; };
  // Its blocks are those between it and the next function inside.
  auto first = function;
  while (first != scope.outer.begin() && !is_function(*std::prev(first))) --first;
  scope.function = *function;
  scope.blocks.assign(first, std::next(function));
  scope.outer.erase(scope.outer.begin(), std::next(function));
}

bool CodeScopes::is_in_cold_part(const CodeScope& scope, uint64_t address) const {
  Dwarf_Die die = scope.subprogram;
  Dwarf_Addr base = 0, low = 0, high = 0;
  ptrdiff_t offset = 0;
  // The first range has the entry of the function.
  while (file_.budget().has_time() && (offset = dw_.dwarf_ranges(&die, offset, &base, &low, &high)) > 0)
    if (low < high) return address < low || address >= high;
  return false;
}

// Whether the code of an inlined function begins with `line` at an address that is not in its ranges: compilers merge
// the first instructions with those of the caller, and state only where the function begins.
bool CodeScopes::begins_inlined(const Dwarf_Die& inlined, uint64_t address, const SourceLine& line) const {
  Dwarf_Die die = inlined;
  Dwarf_Attribute attribute;
  Dwarf_Addr entry = 0;
  if (line.number == 0 || dw_.dwarf_attr(&die, DW_AT_entry_pc, &attribute) == nullptr ||
      dw_.dwarf_formaddr(&attribute, &entry) != 0 || entry != address)
    return false;
  return first_line(inlined, line) > line.first && dw_.number(inlined, DW_AT_call_line) != line.number;
}

// The line of a function's declaration, if it is in the file of `line` and not behind it; else 0. The later
// one of two functions contains the line.
uint64_t CodeScopes::first_line(const Dwarf_Die& function, const SourceLine& line) const {
  Dwarf_Die die = dw_.reference(function, DW_AT_abstract_origin).value_or(function);
  const char* file = dw_.dwarf_decl_file(&die);
  auto last = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
  uint64_t first = dw_.number(die, DW_AT_decl_line).value_or(0);
  return file != nullptr && last(file) == last(line.path) && first <= line.number ? first : 0;
}

std::optional<Dwarf_Die> CodeScopes::block_around(const Dwarf_Die& parent, uint64_t address,
                                                  const SourceLine& line) const {
  for (auto child = dw_.first_child(parent); child && file_.budget().has_time(); child = dw_.next_sibling(*child)) {
    int tag = dw_.dwarf_tag(&*child);
    if (!is_block(tag)) continue;
    bool is_inlined = tag == DW_TAG_inlined_subroutine;
    if (dw_.dwarf_haspc(&*child, address) != 1) continue;
    Dwarf_Addr entry = 0;
    bool begins_here = dw_.dwarf_lowpc(&*child, &entry) == 0 && entry == address;
    bool is_call = is_inlined && begins_here && line.number != 0 && dw_.number(*child, DW_AT_call_line) == line.number;
    if (!is_call) return child;
  }
  return line.number == 0 ? std::nullopt : inlined_at(parent, address, line, 0);
}

// An inlined function that begins with the line, also in blocks whose ranges do not contain its first instruction.
std::optional<Dwarf_Die> CodeScopes::inlined_at(const Dwarf_Die& parent, uint64_t address, const SourceLine& line,
                                                int depth) const {
  for (auto child = dw_.first_child(parent); child && file_.budget().has_time(); child = dw_.next_sibling(*child)) {
    int tag = dw_.dwarf_tag(&*child);
    if (!is_block(tag)) continue;
    if (tag == DW_TAG_inlined_subroutine && begins_inlined(*child, address, line)) return child;
    if (depth == max_nesting) continue;
    if (auto found = inlined_at(*child, address, line, depth + 1)) return found;
  }
  return std::nullopt;
}

std::vector<ScopeVariable> CodeScopes::variables(const CodeScope& scope) const {
  std::vector<ScopeVariable> found;
  std::set<std::string, std::less<>> names;
  bool is_outside = false;
  auto add = [&](const Dwarf_Die& die, int tag) {
    if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return;
    std::string_view name = dw_.name(die);
    if (name.empty() || found.size() == max_variables || dw_.has(die, DW_AT_declaration)) return;
    if (names.emplace(name).second)
      found.push_back({.die = die,
                       .name = std::string{name},
                       .is_parameter = tag == DW_TAG_formal_parameter,
                       .is_outside = is_outside});
  };
  auto add_children = [&](const Dwarf_Die& block) {
    for (auto child = dw_.first_child(block); child && file_.budget().has_time(); child = dw_.next_sibling(*child))
      add(*child, dw_.dwarf_tag(&*child));
  };
  for (const std::vector<Dwarf_Die>* blocks : {&scope.blocks, &scope.outer}) {
    is_outside = blocks == &scope.outer;
    for (const Dwarf_Die& block : *blocks) {
      add_children(block);
      // Variables that this copy of the function lacks are only in the abstract one.
      if (auto origin = dw_.reference(block, DW_AT_abstract_origin)) add_children(*origin);
    }
  }
  return found;
}

std::optional<ScopeVariable> CodeScopes::global_below(const Dwarf_Die& parent, const std::string& name,
                                                      int depth) const {
  for (auto child = dw_.first_child(parent); child && file_.budget().has_time(); child = dw_.next_sibling(*child)) {
    int tag = dw_.dwarf_tag(&*child);
    Dwarf_Attribute attribute;
    // A definition may refer to its declaration, in a class or another namespace, which has the name.
    bool is_defined = tag == DW_TAG_variable && (dw_.dwarf_attr(&*child, DW_AT_location, &attribute) != nullptr ||
                                                 dw_.dwarf_attr(&*child, DW_AT_const_value, &attribute) != nullptr);
    if (is_defined && dw_.name(*child) == name) return ScopeVariable{.die = *child, .name = name, .is_outside = true};
    if (tag != DW_TAG_namespace && tag != DW_TAG_module) continue;
    if (depth == max_nesting) continue;
    if (auto found = global_below(*child, name, depth + 1)) return found;
  }
  return std::nullopt;
}

std::optional<ScopeVariable> CodeScopes::find_global(const CodeScope& scope, const std::string& name) const {
  if (auto found = global_below(scope.unit, name, 0)) return found;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (file_.budget().has_time() &&
         dw_.dwarf_get_units(file_.dwarf(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0)
    if (auto found = global_below(file_.split_unit(die).value_or(die), name, 0)) return found;
  return std::nullopt;
}

}  // namespace dscope
