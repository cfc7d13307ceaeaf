// LateCode: the parts of portable code that are completed when a process loads it: numbers and tables of the machine.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <vector>

namespace dscope {

enum class MachineTable : uint8_t {
  PathLayout,     // ds_path_layout
  RouteLayout,    // ds_route_layout
  MemoryLayout,   // ds_memory_layout
  Cpus,           // CompiledPlan::cpu_table
  BlockDrivers,   // CompiledPlan::driver_table
  TracerBegins,   // of a program: first addresses of the ranges of tracer code, ascending
  TracerEnds,     // the addresses behind them
  ProbeIds,       // 4 bytes for each row: Probe::id
  ProbeText,      // a name for each row, probe_text_width() bytes. `detail`: a ProbePart
  SyscallRows,    // of a program: 2 bytes for each key of a system call: the row + 1, or 0
  SyscallLists,   // of a program: 2 bytes for each key: the clause list
  ArgumentOrder,  // of a program: 2 bytes for each row: the position of argument `detail` in the system call
  MacroText,      // the text of a macro such as $$1. `detail`: its number among these texts
};

struct MachineTableId {
  MachineTable kind{};
  uint32_t program = 0;  // index into Layout::programs
  uint32_t detail = 0;
  auto operator<=>(const MachineTableId&) const = default;
};

struct LateCode {
  // By the number in symbols "ds_late_<number>_<copy>": indices of the values whose sum the instruction contains
  // (MachineValues in frontend/machine).
  std::vector<std::vector<uint32_t>> numbers;
  // By the number in the names of sections ".rodata.late.<number>": the table that the section contains.
  std::vector<MachineTableId> tables;
  // Indices of the values that decided what code to emit. They must be the same on every machine.
  std::set<uint32_t> fixed_values;
};

}  // namespace dscope
