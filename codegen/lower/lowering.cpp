#include "codegen/lower/lowering.h"

#include <algorithm>

#include "support/check.h"

namespace dscope {

namespace {

constexpr size_t max_clauses_with_inlined_helpers = 16;

}  // namespace

Lowering::Lowering(const SourceSet& source_set, const Semantics& semantics, const CompiledPlan& compiled_plan,
                   const LowerOptions& lower_options, IrModule& module)
    : sources(source_set),
      meaning(semantics),
      compiled(compiled_plan),
      plan(compiled_plan.plan),
      layout(compiled_plan.layout),
      options(lower_options),
      memory_use(find_memory_use(semantics)),
      out(module),
      builder(module.module()) {
  if (options.debug_info) debug_ = std::make_unique<DebugInfo>(out.module(), sources);
}

bool Lowering::has_many_clauses() const { return plan.clauses.size() > max_clauses_with_inlined_helpers; }

bool Lowering::has_map(std::string_view name) const {
  return std::ranges::find(plan.maps, name, &MapPlan::name) != plan.maps.end();
}

void Lowering::locate(SourceRange range) {
  state.range = range;
  if (debug_ != nullptr) builder.ir.SetCurrentDebugLocation(debug_->location(*builder.function(), range));
}

void Lowering::describe_function(llvm::Function* function, SourceRange range) {
  if (debug_ != nullptr) debug_->add_function(*function, range);
  locate(range);
}

void Lowering::finish_debug_info() {
  if (debug_ != nullptr) debug_->finish();
}

V Lowering::once(CachedValue key, const std::function<V()>& emit) {
  if (V known = state.cache.find(key)) return known;
  V value = emit();
  state.cache.set(key, value);
  return value;
}

// Code before the first branch of a clause dominates all later clauses of the probe, so they can reuse the values that
// it computes. Do not use this for numbers: where predicates compare them, the verifier would follow each outcome
// separately.
V Lowering::once_per_firing(CachedValue key, const std::function<V()>& emit) {
  V value = once(key, emit);
  bool is_before_branches = builder.ir.GetInsertBlock() == state.clause_start;
  if (is_before_branches && state.firing.find(key) == nullptr) state.firing.set(key, value);
  return value;
}

void Lowering::when(V condition, const std::function<void()>& emit) {
  auto* then = builder.block("then");
  auto* after = builder.block("after");
  builder.ir.CreateCondBr(condition, then, after);
  builder.start(then);
  conditionally(emit);
  builder.ir.CreateBr(after);
  builder.start(after);
}

// Where paths join, the verifier tracks a separate value per path and would verify the common tail once per value. In
// clauses with many joins, this function turns a value into a number that the verifier does not know (it adds the
// difference of two pointers, which is 0), so that the verifier can merge the paths.
V Lowering::as_unknown(V value) {
  if (!state.has_many_joins || llvm::isa<llvm::Constant>(value)) return value;
  return builder.ir.CreateAdd(value, builder.pin(unknown_zero()));
}

// Computed at the start of the function, where it dominates all uses.
V Lowering::unknown_zero() {
  if (state.unknown_zero != nullptr) return state.unknown_zero;
  V slot = builder.shared_slot(8, "read");
  llvm::IRBuilder<>::InsertPointGuard here(builder.ir);
  builder.ir.SetInsertPoint(builder.function()->getEntryBlock().getTerminator());
  return state.unknown_zero = builder.ir.CreateSub(builder.to_number(slot), builder.to_number(builder.pin(slot)));
}

// The verifier requires the offset in the instruction that loads the context member. In long functions, LLVM would
// reuse one computed address for several loads.
V Lowering::context() { return state.has_many_joins ? builder.pin(state.frame.context) : state.frame.context; }

V Lowering::load_context(const MachineNumber& offset, uint32_t size, bool is_signed) {
  return builder.load(context(), offset, size, is_signed);
}

V Lowering::load_context_pointer(const MachineNumber& offset) {
  if (offset.index) return builder.to_pointer(load_context(offset, 8, false));
  return builder.ir.CreateAlignedLoad(builder.ptr, builder.at(context(), offset), llvm::Align(8));
}

}  // namespace dscope
