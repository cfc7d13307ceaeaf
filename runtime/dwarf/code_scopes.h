// CodeScopes: the function that contains an instruction of a file, inlined or not, and the variables in scope there.
// Private to runtime/dwarf.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/dwarf/debug_file.h"

namespace dscope {

struct CodeScope {
  Dwarf_Die subprogram;           // the compiled function, in whose frame the instruction runs
  Dwarf_Die function;             // the innermost inlined function that contains the instruction, or `subprogram`
  std::vector<Dwarf_Die> blocks;  // innermost first; the last is `function`
  std::vector<Dwarf_Die> outer;   // those around `function`, if it is inlined; the last is `subprogram`
  Dwarf_Die unit;
  uint64_t start = 0;  // lowest address of `subprogram`
};

struct ScopeVariable {
  Dwarf_Die die;
  std::string name;
  bool is_parameter = false;
  bool is_outside = false;  // of a function around the inlined one, or of none
};

// The source line that an instruction stands for: several may begin at one instruction.
struct SourceLine {
  std::string_view path;  // of the file, as the compiler knew it
  uint64_t number = 0;    // 0: none
  uint64_t first = 0;     // of the function around, if it may contain the line; found by CodeScopes
};

class CodeScopes {
 public:
  // `file` must outlive this object.
  explicit CodeScopes(const DebugFile& file) : file_(file), dw_(file.dw()) {}

  // Nothing if debug information does not describe the instruction. A function that `line` calls, and that is inlined
  // right there, is not entered.
  std::optional<CodeScope> find(uint64_t address, const SourceLine& line);
  // Whether the instruction is in a part of the function that the compiler has moved away because it rarely runs.
  bool is_in_cold_part(const CodeScope& scope, uint64_t address) const;
  // The variables of the function's blocks, innermost first, then those of the functions around it, without those that
  // others of the same name hide.
  std::vector<ScopeVariable> variables(const CodeScope& scope) const;
  // A variable of the file's units outside functions, by its unqualified name: first in the unit of the scope, then in
  // others.
  std::optional<ScopeVariable> find_global(const CodeScope& scope, const std::string& name) const;

 private:
  struct Range {
    uint64_t low, high;
    Dwarf_Die die;
  };

  void add_ranges(Dwarf_Die die, std::vector<Range>& to) const;
  static const Range* find_range(const std::vector<Range>& ranges, uint64_t address);
  const std::vector<Range>& functions_of(const Dwarf_Die& unit);
  void collect_functions(const Dwarf_Die& parent, std::vector<Range>& to, int depth) const;
  void enter_blocks(CodeScope& scope, uint64_t address, SourceLine line) const;
  void leave_called_functions(CodeScope& scope, const SourceLine& line) const;
  uint64_t first_line(const Dwarf_Die& function, const SourceLine& line) const;
  std::optional<Dwarf_Die> block_around(const Dwarf_Die& parent, uint64_t address, const SourceLine& line) const;
  std::optional<Dwarf_Die> inlined_at(const Dwarf_Die& parent, uint64_t address, const SourceLine& line,
                                      int depth) const;
  bool begins_inlined(const Dwarf_Die& inlined, uint64_t address, const SourceLine& line) const;
  std::optional<ScopeVariable> global_below(const Dwarf_Die& parent, const std::string& name, int depth) const;

  const DebugFile& file_;
  const LibDw& dw_;
  std::optional<std::vector<Range>> units_;
  std::map<uint64_t, std::vector<Range>> functions_;  // by the offset of the unit
};

}  // namespace dscope
