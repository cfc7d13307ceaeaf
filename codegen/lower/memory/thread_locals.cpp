#include "codegen/lower/memory/thread_locals.h"

#include "codegen/lower/memory/dynamic_variables.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/counters.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/programs/functions.h"

namespace dscope {

// The memory of the thread's variables, looked up once per region. A store creates it. If that fails, the clause ends
// with a dynamic variable drop (d-language.md 5.4).
V ThreadLocals::storage(bool create) {
  ValueCache& cache = state_.cache;
  if (V known = cache.find(CachedValue::TaskStorage)) return known;
  // After this region, the storage may exist although an earlier lookup found none.
  if (create) core_.invalidate_in_outer_regions(CachedValue::MaybeTaskStorage);
  V found = cache.find(CachedValue::MaybeTaskStorage);
  if (found == nullptr) {
    found = create ? emplace() : find(0);
    cache.set(CachedValue::MaybeTaskStorage, found);
    // cache_storage() pins the pointer: LLVM must not add an offset before the test for NULL.
    if (create) return cache_storage(found);
  }
  if (!create) return found;
  V storage = b_.replace_if(b_.is_zero(b_.to_number(found)), found, "absent", [&] {
    V created = nullptr;
    core_.conditionally([&] { created = emplace(); });
    return created;
  });
  cache.set(CachedValue::MaybeTaskStorage, storage);
  return cache_storage(storage);
}

V ThreadLocals::cache_storage(V found) {
  V storage = b_.pin(found);
  state_.cache.set(CachedValue::TaskStorage, storage);
  return storage;
}

V ThreadLocals::find(uint64_t flags) {
  return b_.call_for_pointer(Helper::TaskStorageGet,
                             {b_.map("ds_task"), task_.current_task(), b_.null(), b_.number(flags)});
}

// Ends the clause and counts a drop if the kernel has no memory for the storage.
V ThreadLocals::emplace() {
  if (!core_.has_many_clauses() || task_.has_other_subject()) {
    V storage = find(helper_flags::create_storage);
    dynamic_variables_.drop_if(b_.is_zero(b_.to_number(storage)));
    return storage;
  }
  auto* type = llvm::FunctionType::get(b_.ptr, false);
  V storage = b_.ir.CreateCall(functions_.shared_function("ds_thread_locals", type, [&](llvm::Function*) {
    V found = find(helper_flags::create_storage);
    core_.when(b_.is_zero(b_.to_number(found)), [&] { counters_.count(offsetof(ds_counters, dynamic_drops)); });
    return found;
  }));
  faults_.end_clause_if(b_.is_zero(b_.to_number(storage)));
  return storage;
}

}  // namespace dscope
