// TracedCode: the source lines of one executable or library, and the variables that are alive at its instructions, from
// its debug information.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/types/traced_variable.h"
#include "runtime/dwarf/caller_values.h"
#include "runtime/dwarf/code_scopes.h"
#include "runtime/dwarf/debug_file.h"
#include "runtime/dwarf/line_tables.h"
#include "runtime/dwarf/location_expression.h"
#include "runtime/dwarf/stack_unwinder.h"

namespace dscope {

// An instruction that begins a source line in one function, or in one inlined copy of a function.
struct LinePlace {
  uint64_t address = 0;  // virtual address in the object
  uint32_t line = 0;
  std::string path;      // of the source file, as the compiler knew it
  std::string function;  // the function that contains the line, as in the source
};

class TracedCode {
 public:
  // `file` must outlive this object. `object`: the executable or library itself, whose unwind tables tell where frames
  // are.
  TracedCode(const DebugFile& file, Fd object);

  // The places of all wanted lines, sorted by path, line and address. A line has one place in each function and each
  // inlined copy of it: its first instruction there, behind the prologue if it is the function's first line.
  std::vector<LinePlace> find_lines(const std::function<bool(std::string_view path)>& is_wanted_file,
                                    const std::function<bool(uint32_t line)>& is_wanted_line);
  // The last parts of the paths of all source files, for hints.
  std::vector<std::string> source_files();

  struct Variable {
    ScopeVariable found;
    std::optional<Dwarf_Die> type;  // nothing: void
    VariablePlace place;
  };
  // The local variables in scope at an instruction, innermost scope first. `line`: of the probe.
  std::vector<Variable> variables(uint64_t address, const SourceLine& line);
  // A variable of the object outside functions.
  std::optional<Variable> find_global(uint64_t address, const std::string& name);
  // The line nearest to `line`, in the function at `address`, where the local variable can be read; nothing if it can
  // be read nowhere else.
  std::optional<uint32_t> nearest_line(uint64_t address, const SourceLine& line, const std::string& name);

 private:
  struct Candidate {
    const LineTable* table;
    size_t row;
  };

  std::vector<Variable> variables_at(uint64_t address, const SourceLine& line);
  ExpressionContext context_at(uint64_t address, const CodeScope& scope);
  Variable locate(const ScopeVariable& variable, uint64_t address, const ExpressionContext& context) const;
  VariablePlace constant_place(Dwarf_Die die) const;
  uint64_t behind_prologue(const Candidate& candidate, const CodeScope& scope) const;
  bool is_unoptimized(const Dwarf_Die& unit) const;

  const DebugFile& file_;
  const LibDw& dw_;
  CodeScopes scopes_;
  FileBudget line_budget_;
  LineTables lines_;
  std::optional<int64_t> thread_block_;
  std::unique_ptr<FrameTable> frames_;  // null if the object has no unwind tables
  CallerValues callers_;
};

}  // namespace dscope
