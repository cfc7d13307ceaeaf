#include "codegen/lower/actions/fields.h"

#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/memory/places.h"
#include "codegen/lower/probe/stacks.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/value_names.h"
#include "codegen/lower/values/expressions.h"
#include "codegen/lower/values/strings.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

// Writes one value to a field of the record or key at `base`.
void Fields::write(const Field& field, V base, const Expr& value) {
  V to = b_.at(base, field.offset);
  if (field.offset != 0) name_after(core_, to, value, base == state_.record ? "record." : "key.");
  switch (field.kind) {
    case FieldKind::Integer:
      return b_.store(to, info(value).constant ? expressions_.scalar(value) : expressions_.number_or_address(value),
                      field.size);
    case FieldKind::String: return strings_.write_string(value, to, field.size);
    case FieldKind::Bytes: return write_object(field.size, to, value);
    case FieldKind::ProbeName: return b_.store(to, b_.ir.CreateZExt(frame_.row, b_.i64), 4);
    case FieldKind::Container: return b_.store(to, task_.cgroup_id(value), 8);
    case FieldKind::Stack:
    case FieldKind::UserStack: return stacks_.write_stack(field, base, value);
    case FieldKind::KernelAddr: return b_.store(to, symbol_argument(*action_call(meaning_, *state_.clause, value)), 8);
    case FieldKind::UserAddr:
      b_.store(to, b_.ir.CreateLShr(task_.visible_pid_tgid(value), b_.number(32)), 8);
      return b_.store(b_.at(to, 8), symbol_argument(*action_call(meaning_, *state_.clause, value)), 8);
  }
  DS_UNREACHABLE();
}

// Writes an integer that is smaller than the word at its place, and zeros in the rest of the word.
void Fields::write_word(const Field& field, V base, const Expr& value) {
  V to = b_.at(base, field.offset);
  if (field.offset != 0) name_after(core_, to, value, "key.");
  V number = info(value).constant ? expressions_.scalar(value) : expressions_.number_or_address(value);
  b_.store(to, b_.narrow(number, field.size, false), 8);
}

// Whether the object is one of several. The numbers that its address depends on are computed in branches then, so a
// second use of the lvalue cannot take them from LvalueParts.
bool Fields::has_branches(const Expr& value) const {
  bool found = false;
  walk_expr(meaning_, *state_.clause, value,
            [&](const Expr& part) { found |= std::holds_alternative<Ternary>(part.form); });
  return found;
}

void Fields::write_object(uint32_t size, V to, const Expr& value) {
  LvalueParts* parts = state_.lvalue_parts;
  if (parts == nullptr || (!parts->needs_copies && !has_branches(value)))
    return memory_.copy_object(to, places_.place_of(value), size, value);
  V& copy = parts->objects[&value];
  if (copy == nullptr) {
    copy = scratch_.temporary(size);
    memory_.copy_object(copy, places_.place_of(value), size, value);
  }
  memory_.copy_object(to, {Space::Storage, copy}, size, value);
}

V Fields::symbol_argument(const Call& call) {
  const Expr& address = *call.arguments[0];
  return expressions_.number_or_address(address);
}

}  // namespace dscope
