// The constant tables of BPF programs whose content depends on the machine: layouts of kernel objects, the rows of
// system calls, names of probes. Codegen embeds them. A process that binds a portable program to its machine computes
// them again.
#pragma once

#include <cstdint>
#include <string>

#include "contract/late_code.h"
#include "frontend/plan/plan_builder.h"

namespace dscope {

// How the tables of a program are sized.
enum class TableSize : uint8_t {
  Exact,     // as this machine needs
  Portable,  // in steps, so that most machines need the same
};

// The content of a table. element_size: bytes of its numbers; 1: text or a layout.
struct MachineTableContent {
  std::string bytes;
  uint32_t element_size = 1;
};
// Not for MacroText.
MachineTableContent machine_table(const MachineTableId& id, const CompiledPlan& compiled, TableSize size);

// The key by which a program finds the row of a system call: its number, or a key above all numbers for a row that
// fires for only part of the calls.
uint32_t syscall_key(const ProgramLayout& layout, size_t index);
// The number of keys in SyscallRows and SyscallLists; max_syscall_keys + 1 or more: too many for tables.
inline constexpr uint32_t max_syscall_keys = 8192;
uint32_t syscall_key_limit(const ProgramLayout& layout, TableSize size);
inline constexpr uint32_t first_conditional_key = 2048;  // above every number that scripts can name

// The name of a row's probe as probeprov, probemod, probefunc and probename return it.
std::string_view probe_text(const ProbePlan& probe, ProbePart part);
// Bytes of each row in ProbeText, a multiple of 8.
uint32_t probe_text_width(const ProgramPlan& plan, ProbePart part, TableSize size);

// The number of ranges in TracerBegins and TracerEnds, a power of two.
size_t tracer_range_count(const ProgramLayout& layout, TableSize size);

}  // namespace dscope
