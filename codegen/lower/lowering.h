// Lowering: the core of codegen. It has the builder, the program being lowered and the state of the function being
// emitted, and knows how values may be cached and merged. What D programs consist of is lowered by the classes over it
// (lowerers.h).
#pragma once

#include <functional>
#include <memory>

#include "codegen/core/bpf_builder.h"
#include "codegen/core/debug_info.h"
#include "codegen/lower/function_state.h"
#include "codegen/lower/lower.h"
#include "codegen/lower/memory_use.h"
#include "frontend/plan/plan_layout.h"

namespace dscope {

class Lowering {
 public:
  Lowering(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled,
           const LowerOptions& options, IrModule& out);

  const SourceSet& sources;
  const Semantics& meaning;
  const CompiledPlan& compiled;
  const ProgramPlan& plan;
  const Layout& layout;
  const LowerOptions options;
  const MemoryUse memory_use;
  IrModule& out;
  BpfBuilder builder;
  FunctionState state;

  // Such scripts have functions for code that all clauses share: LLVM takes longer over another copy than the kernel
  // over a call.
  bool has_many_clauses() const;
  // Before Linux 6.3 the verifier never merges paths that hold a reserved record, so it re-verifies the common tail
  // once per path. Such paths should meet before the reservation.
  bool record_paths_never_merge() const { return !plan.is_cpu_v4; }

  // ---- debug locations: from here on instructions belong to this range of the script (if debug information is wanted)
  void locate(SourceRange range);
  void describe_function(llvm::Function* function, SourceRange range);
  void finish_debug_info();

  // ---- values that are computed once
  V once(CachedValue key, const std::function<V()>& emit);
  V once_per_firing(CachedValue key, const std::function<V()>& emit);
  // For a cached value that code in a conditional region has made invalid for the code behind the region.
  void invalidate_in_outer_regions(CachedValue key) { state.invalidated.push_back(key); }
  // Memory may have changed.
  void invalidate_known_values() { state.known.clear(); }

  // ---- regions that may not be executed
  // Runs `emit`, and forgets afterwards the values that it has cached.
  template <typename F>
  void conditionally(const F& emit) {
    ValueCache saved = state.cache;
    size_t outer = state.invalidated.size();
    size_t known = state.known.added.size();
    emit();
    state.cache = saved;
    state.known.truncate(known);
    for (size_t i = outer; i < state.invalidated.size(); ++i) state.cache.invalidate(state.invalidated[i]);
  }
  // Emits a branch around `emit`, which runs if `condition` holds.
  void when(V condition, const std::function<void()>& emit);

  // ---- values in a form that suits the verifier
  V as_unknown(V value);
  V as_unknown_flag(V flag) { return state.is_complex ? builder.is_nonzero(as_unknown(builder.flag(flag))) : flag; }
  // The address of a member of the program's argument.
  V context_at(uint64_t offset);

 private:
  V unknown_zero();

  std::unique_ptr<DebugInfo> debug_;
};

}  // namespace dscope
