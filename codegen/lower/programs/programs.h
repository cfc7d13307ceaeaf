// Emits BPF programs: the gate, the lookup of the fired probe's row, and the clauses in order.
#pragma once

#include <span>

#include "codegen/lower/lowerer.h"

namespace dscope {

class AllocaMemory;
class Clauses;
class Counters;
class Functions;
class Iterators;
class SavedStacks;
class ScratchSlot;
class SyscallContext;
class SyscallRows;
class TaskContext;

class Programs : Lowerer {
 public:
  Programs(Lowering& core, ScratchSlot& scratch, Counters& counters, Functions& functions, SyscallRows& syscall_rows,
           Iterators& iterators, Clauses& clauses, SyscallContext& syscalls, TaskContext& task,
           SavedStacks& saved_stacks, AllocaMemory& alloca);

  // Emits all programs of the plan.
  void emit();

 private:
  void emit_program(size_t index);
  void start_program(const BpfProgramPlan& program, const ProgramLayout& layout);
  llvm::BasicBlock* emit_gate(const ProgramLayout& layout, size_t index);
  void emit_handover(V activity, size_t index, llvm::BasicBlock* done);
  V find_row(const BpfProgramPlan& program, const ProgramLayout& layout, llvm::BasicBlock* done);
  void emit_lists(const ProgramLayout& layout, V list);
  void emit_list_choice(const ProgramLayout& layout, V list, size_t first, size_t end);
  V row_number(const uint32_t& row);
  void select_list(const ProgramLayout& layout, size_t list);
  void emit_list(const ProgramLayout& layout, const std::vector<uint32_t>& clauses);
  void emit_clauses(std::span<const uint32_t> clauses, uint32_t expected_activity);
  void leave_unless_active(uint32_t expected_activity);
  void finish_frame();

  ScratchSlot& scratch_;
  Counters& counters_;
  Functions& functions_;
  SyscallRows& syscall_rows_;
  Iterators& iterators_;
  Clauses& clauses_;
  SyscallContext& syscalls_;
  TaskContext& task_;
  SavedStacks& saved_stacks_;
  AllocaMemory& alloca_memory_;
  bool is_for_service_ = false;         // another run may take over
  bool may_end_within_firing_ = false;  // a clause may end the trace, so later clauses test for that
};

}  // namespace dscope
