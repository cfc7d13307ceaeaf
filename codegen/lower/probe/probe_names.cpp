#include "codegen/lower/probe/probe_names.h"

#include <algorithm>

#include "codegen/lower/probe/builtins.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/values/string_memory.h"
#include "contract/process_provider.h"

namespace dscope {

V ProbeNames::probe_id() {
  if (frame_.constant_row) {
    const uint32_t& id = plan_.probes[*frame_.constant_row].id;
    return b_.number(core_.machine_number(id, &id));
  }
  V table = core_.machine_table({.kind = MachineTable::ProbeIds}, "probe_ids");
  return b_.load(b_.at(table, b_.ir.CreateShl(fired_row(), b_.number(2))), 4, false);
}

// The fired row as an index into tables with one element per row. The program has tested it before, but before Linux
// 6.12 the verifier may have lost the bound on the way here.
V ProbeNames::fired_row() {
  V row = b_.ir.CreateZExt(frame_.row, b_.i64);
  if (frame_.constant_row && !core_.is_portable()) return row;
  row = b_.pin(row);
  row = b_.ir.CreateSelect(b_.ir.CreateICmpULT(row, b_.ir.CreateZExt(core_.row_count(), b_.i64)), row, b_.number(0));
  return b_.pin(row);  // or LLVM may multiply before it compares
}

// Appends the process ID of the running process to the provider's name: "python" for "python*" in the plan.
StringValue ProbeNames::numbered_provider(const StringValue& provider, const Expr& at) {
  uint32_t room = round_up8(process_digits + 1), capacity = provider.capacity + room;
  V number = scratch_.temporary(room), data = scratch_.temporary(capacity);
  b_.call_support(
      "ds_lltostr", b_.void_type,
      {number, b_.number(pack_sizes(room, process_digits, 0, 0)), builtins_.builtin(BuiltinVariable::Pid, at)});
  uint64_t characters = std::min(capacity - 1, meaning_.types->strsize());
  b_.call_support("ds_strjoin", b_.void_type,
                  {data, provider.data, number, b_.number(pack_sizes(capacity, characters, provider.capacity, room))});
  return {data, capacity, nullptr};
}

// The text of probeprov, probemod, probefunc or probename: a row of a constant table.
StringValue ProbeNames::probe_name(ProbePart part, const Expr& at) {
  // All rows of a program have the same clauses, so either all or none of their probes are for all processes.
  bool is_numbered =
      part == ProbePart::Provider && !frame_.rows.empty() && is_of_all_processes(plan_.probes[frame_.rows[0]].provider);
  if (is_numbered) return numbered_provider(name_in_table(part), at);
  return name_in_table(part);
}

StringValue ProbeNames::name_in_table(ProbePart part) {
  auto text = [&](uint32_t row) { return probe_text(plan_.probes[row], part); };
  bool is_same = std::all_of(frame_.rows.begin(), frame_.rows.end(),
                             [&](uint32_t row) { return text(row) == text(frame_.rows[0]); });
  // Names of processes' probes contain their pids, so portable code has no names in it.
  if (is_same && !core_.is_portable()) return string_memory_.literal(text(frame_.rows[0]));
  uint32_t width = probe_text_width(plan_, part, core_.table_size());
  V table = core_.machine_table({.kind = MachineTable::ProbeText, .detail = static_cast<uint32_t>(part)}, "probe_text");
  return {b_.at(table, b_.ir.CreateMul(fired_row(), b_.number(width))), width, nullptr};
}

}  // namespace dscope
