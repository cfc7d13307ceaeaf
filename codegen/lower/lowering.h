// Lowering: the core of codegen. It owns the builder and the state of the function being emitted, refers to the program
// being lowered, and decides how values are cached and merged. The classes over it lower the parts of a D program
// (lowerers.h).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

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

  // Scripts with many clauses call functions for code that the clauses share: LLVM needs more time for another copy
  // than the kernel for a call.
  bool has_many_clauses() const;
  bool has_map(std::string_view name) const;
  // Before Linux 6.3 the verifier never merges paths that hold a reserved record, so it re-verifies the common tail
  // once per path. Such paths should meet before the reservation.
  bool record_paths_never_merge() const { return !plan.is_cpu_v4; }

  // ---- debug locations: the script range of the instructions that follow, if debug information is enabled
  void locate(SourceRange range);
  void describe_function(llvm::Function* function, SourceRange range);
  void finish_debug_info();

  // ---- values that are computed once
  V once(CachedValue key, const std::function<V()>& emit);
  V once_per_firing(CachedValue key, const std::function<V()>& emit);
  // Drops a cached value in the enclosing regions too, because code in a conditional region has changed it.
  void invalidate_in_outer_regions(CachedValue key) { state.invalidated.push_back(key); }
  // Call this after a store: memory may have changed.
  void invalidate_known_values() { state.known.clear(); }

  // ---- conditional regions
  // Runs `emit`, then drops the values that it has cached: they do not dominate the code behind the region.
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

  // ---- values in a form that the verifier accepts and merges
  V as_unknown(V value);
  V as_unknown_flag(V flag) { return state.has_many_joins ? builder.is_nonzero(as_unknown(builder.flag(flag))) : flag; }
  // Loads a member of the program's context.
  V load_context(const MachineNumber& offset, uint32_t size, bool is_signed);
  V load_context_pointer(const MachineNumber& offset);

  // ---- numbers and tables of the machine
  bool is_portable() const { return options.machine_values != nullptr; }
  TableSize table_size() const { return is_portable() ? TableSize::Portable : TableSize::Exact; }
  // `number` is held by `holder`, see MachineValues::find().
  MachineNumber machine_number(uint64_t number, const void* holder) { return machine_sum({{number, holder}}); }
  struct HeldNumber {
    uint64_t number = 0;
    const void* holder = nullptr;
  };
  MachineNumber machine_sum(const std::vector<HeldNumber>& terms);
  // The value of a constant expression.
  MachineNumber constant(const ExprInfo& info);
  // Call this if the number decided what code to emit: portable code works only where it is the same.
  void require_same(const void* holder);
  // A constant that decided what code to emit.
  uint64_t fixed_constant(const ExprInfo& info);
  // The number of rows of the plan, as i32.
  V row_count() { return builder.number32(machine_number(plan.probes.size(), &plan.probes)); }
  // Embeds a table, once.
  V machine_table(const MachineTableId& id, const char* name);
  V machine_text(const StringLiteral& literal);

 private:
  V unknown_zero();
  V context();
  uint32_t late_number(std::vector<uint32_t> values);
  V late_data(const MachineTableId& id, std::string_view bytes, const char* name);

  std::unique_ptr<DebugInfo> debug_;
  std::map<MachineTableId, V> tables_;
  std::map<std::vector<uint32_t>, uint32_t> late_numbers_;
};

}  // namespace dscope
