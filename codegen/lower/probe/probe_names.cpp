#include "codegen/lower/probe/probe_names.h"

#include <algorithm>

#include "codegen/lower/probe/builtins.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/values/string_memory.h"
#include "contract/process_provider.h"

namespace dscope {

V ProbeNames::probe_id() {
  if (frame_.constant_row) return b_.number(plan_.probes[*frame_.constant_row].id);
  if (id_table_ == nullptr) {
    std::vector<uint32_t> ids;
    for (const ProbePlan& probe : plan_.probes) ids.push_back(probe.id);
    id_table_ = b_.constant_words32(ids, "probe_ids");
  }
  return b_.load(b_.at(id_table_, b_.ir.CreateShl(fired_row(), b_.number(2))), 4, false);
}

// The fired row as an index into tables with one element per row. The program has tested it before, but before Linux
// 6.12 the verifier may have lost the bound on the way here.
V ProbeNames::fired_row() {
  V row = b_.ir.CreateZExt(frame_.row, b_.i64);
  if (frame_.constant_row) return row;
  row = b_.pin(row);
  row = b_.ir.CreateSelect(b_.ir.CreateICmpULT(row, b_.number(plan_.probes.size())), row, b_.number(0));
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
  auto text = [&](uint32_t row) -> std::string_view {
    std::string_view name = member_of(plan_.probes[row], part);
    if (part == ProbePart::Provider && is_of_all_processes(name)) name.remove_suffix(1);
    return name;
  };
  bool is_same = std::all_of(frame_.rows.begin(), frame_.rows.end(),
                             [&](uint32_t row) { return text(row) == text(frame_.rows[0]); });
  if (is_same) return string_memory_.literal(text(frame_.rows[0]));
  size_t longest = 0;
  for (const ProbePlan& probe : plan_.probes)
    longest = std::max(longest, text(static_cast<uint32_t>(&probe - plan_.probes.data())).size());
  uint32_t width = round_up8(static_cast<uint32_t>(longest) + 1);
  V& table = name_tables_[part];
  if (table == nullptr) {
    std::string bytes(plan_.probes.size() * width, '\0');
    for (size_t row = 0; row < plan_.probes.size(); ++row)
      text(static_cast<uint32_t>(row)).copy(bytes.data() + row * width, width - 1);
    table = b_.constant_bytes(bytes, static_cast<uint32_t>(bytes.size()), "probe_text");
  }
  return {b_.at(table, b_.ir.CreateMul(fired_row(), b_.number(width))), width, nullptr};
}

}  // namespace dscope
