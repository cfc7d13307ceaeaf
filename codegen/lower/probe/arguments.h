// Probe arguments: arg0 .. arg9 and args[], read from the source that the provider states (ArgSource).
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Expressions;
class MemoryAccess;
class ScratchSlot;
class SyscallContext;

class Arguments : Lowerer {
 public:
  Arguments(Lowering& core, ScratchSlot& scratch, SyscallContext& syscalls, Expressions& expressions,
            MemoryAccess& memory)
      : Lowerer(core), scratch_(scratch), syscalls_(syscalls), expressions_(expressions), memory_(memory) {}

  V raw_argument(uint32_t index, const Expr& at);
  V typed_argument(uint32_t index, const Expr& at);
  Place argument_place(uint32_t index, const Expr& at);
  // The derivation of this program's probe; null if the probe is not derived. Also null while the derivation's own
  // expressions are emitted, because their args[] are those of the original probe.
  const DerivedProbe* derived_probe() const {
    const DerivedProbe* derived = frame_.program != nullptr ? frame_.program->derived : nullptr;
    return derived != nullptr && state_.clause != &derived->instance ? derived : nullptr;
  }
  // Runs `emit` with the expressions of the derivation in place of the clause's own.
  template <typename F>
  auto with_derivation(const F& emit) {
    const ClauseInstance* clause = std::exchange(state_.clause, &derived_probe()->instance);
    SourceRange range = state_.range;
    auto restore = [&] {
      state_.clause = clause;
      core_.locate(range);
    };
    if constexpr (std::is_void_v<decltype(emit())>) {
      emit();
      restore();
    } else {
      auto result = emit();
      restore();
      return result;
    }
  }

 private:
  V argument_source(const ArgSource& source, const Expr& at);
  MachineNumber offset_in(const ArgSource& source);
  V user_address(const ArgSource& source);
  V function_argument(uint32_t index);
  V function_result();
  V perf_pc(bool is_user);
  V lateness();
  V record_address();

  ScratchSlot& scratch_;
  SyscallContext& syscalls_;
  Expressions& expressions_;
  MemoryAccess& memory_;
};

}  // namespace dscope
