#include "codegen/lower/memory/dynamic_variables.h"

#include "codegen/lower/memory/variables.h"
#include "codegen/lower/programs/counters.h"
#include "codegen/lower/programs/faults.h"

namespace dscope {

// Counts a dynamic variable drop and ends the clause if `condition` holds.
void DynamicVariables::drop_if(V condition) {
  auto* dropped = b_.block("dropped");
  auto* next = b_.block("next");
  b_.ir.CreateCondBr(condition, dropped, next);
  b_.start(dropped);
  counters_.count(offsetof(ds_counters, dynamic_drops));
  faults_.end_clause();
  b_.start(next);
}

void DynamicVariables::add_to_count(int64_t by) {
  b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, b_.at(b_.map("ds_globals"), layout_.dynamic_count),
                        b_.number(static_cast<uint64_t>(by)), llvm::MaybeAlign(8), llvm::AtomicOrdering::Monotonic);
}

// Counts a new variable. Drops it if the limit has been reached.
void DynamicVariables::claim() {
  if (layout_.dynamic_limit == 0) return;
  V before = b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, b_.at(b_.map("ds_globals"), layout_.dynamic_count),
                                   b_.number(1), llvm::MaybeAlign(8), llvm::AtomicOrdering::SequentiallyConsistent);
  V is_full = b_.ir.CreateICmpUGE(before, b_.number(layout_.dynamic_limit));
  core_.when(is_full, [&] { add_to_count(-1); });
  drop_if(is_full);
}

// Updates the count for a variable that `existed` (i1) before a store and `exists` (i1) after it. Call this before the
// store.
void DynamicVariables::update_count(V existed, V exists) {
  if (layout_.dynamic_limit == 0) return;
  core_.when(b_.ir.CreateAnd(exists, b_.ir.CreateNot(existed)), [&] { claim(); });
  core_.when(b_.ir.CreateAnd(existed, b_.ir.CreateNot(exists)), [&] { add_to_count(-1); });
}

// Inserts a new element, which has the size of the map's values. If there is no room, the clause ends with a dynamic
// variable drop.
void DynamicVariables::insert(const VariableLocation& location, V key, V element) {
  claim();
  bool is_counted = layout_.dynamic_limit != 0;
  V result = b_.call(Helper::MapUpdate,
                     {b_.map(location.map), key, element, b_.number(is_counted ? helper_flags::only_if_new : 0)});
  V is_lost = b_.ir.CreateICmpNE(result, b_.number(0));
  if (is_counted) core_.when(is_lost, [&] { add_to_count(-1); });
  drop_if(is_lost);
}

// Inserts a new element, which has the size of the map's values. Returns whether it was lost (i1): there is no room, or
// another CPU has inserted it. A counted element beyond the limit ends the clause with a dynamic variable drop.
V DynamicVariables::insert_if_new(const VariableLocation& location, V key, V element) {
  claim();
  V result = b_.call(Helper::MapUpdate, {b_.map(location.map), key, element, b_.number(helper_flags::only_if_new)});
  V is_lost = b_.ir.CreateICmpNE(result, b_.number(0));
  if (layout_.dynamic_limit != 0) core_.when(is_lost, [&] { add_to_count(-1); });
  return is_lost;
}

// Stores a whole element, which may be new.
void DynamicVariables::store(const VariableLocation& location, V key, V element) {
  if (layout_.dynamic_limit != 0) core_.when(b_.is_zero(b_.to_number(b_.lookup(location.map, key))), [&] { claim(); });
  V result = b_.call(Helper::MapUpdate, {b_.map(location.map), key, element, b_.number(0)});
  drop_if(b_.ir.CreateICmpNE(result, b_.number(0)));
}

void DynamicVariables::remove(const VariableLocation& location, V key) {
  V result = b_.call(Helper::MapDelete, {b_.map(location.map), key});
  if (layout_.dynamic_limit != 0) core_.when(b_.is_zero(result), [&] { add_to_count(-1); });
}

}  // namespace dscope
