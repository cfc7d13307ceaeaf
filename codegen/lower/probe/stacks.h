// Kernel and user stacks: stack(), ustack(), and the built-in variables for callers and depths.
//
// The kernel walks user stacks by frame pointers. A function sets up its frame pointer after its first instruction and
// releases it before its last one. At those two instructions the return address is on top of the stack, and a walk by
// frame pointers starts at the caller's caller.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Faults;
class Functions;
class SavedStacks;
class ScratchSlot;
class StackCopying;
class TableUnwinding;
class TaskContext;

class Stacks : Lowerer {
 public:
  Stacks(Lowering& core, ScratchSlot& scratch, Functions& functions, Faults& faults, TaskContext& task,
         SavedStacks& saved_stacks, TableUnwinding& tables, StackCopying& copying)
      : Lowerer(core),
        scratch_(scratch),
        functions_(functions),
        faults_(faults),
        task_(task),
        saved_stacks_(saved_stacks),
        tables_(tables),
        copying_(copying) {}

  void write_stack(const Field& field, V base, const Expr& at);
  V kernel_caller();
  V user_caller();
  V kernel_depth();
  V user_depth();

 private:
  // How the stack of the running thread is walked.
  enum class Walk : uint8_t { ByFramePointers, ByTables };

  bool has_return_address_on_top() const;
  V return_address();
  V return_address_on_stack();
  V get_stack(V to, uint32_t bytes, V flags);
  V get_kernel_stack(V to, uint32_t bytes, V flags);
  V get_user_stack(V to, uint32_t bytes, Walk walk);
  V unwind_by_tables(V to, uint32_t bytes);
  V get_running_user_stack(V to, uint32_t bytes);
  V fill_user_stack(V to, uint32_t bytes, Walk walk);
  V write_user_stack(const Field& field, V to, uint32_t bytes, V process);
  bool begins_at_caller() const;
  V frames_to_skip();
  V frame_count(V result);
  bool has_tracer_frames() const;
  V trampoline_frames(V frames);
  V is_tracer_code(V address);
  V found_in_ranges(V address);
  V tracer_frames(V frames);

  // Whether a copy would show more frames than the last walk by tables has found. Null: there was none.
  V is_incomplete_ = nullptr;
  ScratchSlot& scratch_;
  Functions& functions_;
  Faults& faults_;
  TaskContext& task_;
  SavedStacks& saved_stacks_;
  TableUnwinding& tables_;
  StackCopying& copying_;
};

}  // namespace dscope
