#include "codegen/lower/probe/stacks.h"

#include <algorithm>

#include "codegen/lower/probe/saved_stacks.h"
#include "codegen/lower/probe/stack_copying.h"
#include "codegen/lower/probe/table_unwinding.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "contract/stacks/stack_copy.h"
#include "contract/stacks/unwind_format.h"

namespace dscope {

namespace {

// BEGIN, END and ERROR do not fire in the kernel: their stack would show dscope's own system call, or the program that
// faulted.
bool has_kernel_stack(const Frame& frame) {
  if (frame.is_error) return false;
  return frame.program == nullptr || frame.program->expected_activity == DS_ACTIVITY_ACTIVE;
}

// The largest value of stackdepth and ustackdepth.
uint32_t max_depth(const OptionValues& options) {
  if (!options.is_set(OptionId::Maxframes)) return max_counted_frames;
  auto limit = std::max<int64_t>(1, options.number(OptionId::Maxframes));
  return static_cast<uint32_t>(std::min<int64_t>(limit, max_counted_frames));
}

}  // namespace

// Since Linux 6.11 the kernel adds the caller itself if the first instruction is `push %rbp` or `endbr64`.
bool Stacks::has_return_address_on_top() const {
  const ProgramLayout* program = frame_.program;
  return program != nullptr &&
         (program->position == UprobePosition::Entry || program->position == UprobePosition::Exit);
}

V Stacks::return_address() {
  V address = architecture_.return_address ? core_.load_context(*architecture_.return_address, 8, false)
                                           : return_address_on_stack();
  if (architecture_.return_address_mask != UINT64_MAX)
    address = b_.ir.CreateAnd(address, b_.number(architecture_.return_address_mask));
  V code = core_.load_context(architecture_.is_compat_code.offset, 8, false);
  V is_narrow = holds(architecture_.is_compat_code, code);
  V narrow = architecture_.compat_return_address ? core_.load_context(*architecture_.compat_return_address, 8, false)
                                                 : address;
  V found = b_.ir.CreateSelect(is_narrow, b_.ir.CreateAnd(narrow, b_.number(0xffffffff)), address);
  return tables_.original_return(found, core_.load_context(architecture_.stack_pointer, 8, false));
}

V Stacks::return_address_on_stack() {
  V top = b_.shared_slot(8, "top");
  b_.zero(top, 8);
  V stack_pointer = core_.load_context(architecture_.stack_pointer, 8, false);
  b_.call(Helper::ProbeReadUser, {top, b_.number32(8), stack_pointer});
  return b_.load(top, 8, false);
}

// Returns the size of the stack in bytes, or a negative error. The kernel zeroes the rest of the buffer.
V Stacks::get_stack(V to, uint32_t bytes, V flags) {
  if (task_.has_other_subject())
    return b_.call(Helper::GetTaskStack, {task_.current_task(), to, b_.number32(bytes), flags});
  return b_.call(Helper::GetStack, {frame_.context, to, b_.number32(bytes), flags});
}

V Stacks::get_kernel_stack(V to, uint32_t bytes, V flags) {
  if (saved_stacks_.saves_kernel_stacks()) return saved_stacks_.saved_kernel_stack(to, bytes);
  return get_stack(to, bytes, flags);
}

V Stacks::get_user_stack(V to, uint32_t bytes, Walk walk) {
  if (saved_stacks_.saves_user_stacks()) return saved_stacks_.saved_user_stack(to, bytes);
  if (walk == Walk::ByTables && tables_.is_used() && !task_.has_other_subject())
    return get_running_user_stack(to, bytes);
  return get_stack(to, bytes, b_.number(helper_flags::user_stack));
}

// Returns the size in bytes; 0: there are no tables for the process.
V Stacks::unwind_by_tables(V to, uint32_t bytes) {
  b_.zero(to, bytes);
  uint32_t end = scratch_.temporary_end();
  V walk = scratch_.temporary(sizeof(ds_unwind_walk));
  V result = tables_.unwind(to, bytes, walk);
  is_incomplete_ = tables_.is_incomplete(walk);
  scratch_.release_temporaries(end);
  return result;
}

// By tables, or by frame pointers if there are none for the process.
V Stacks::get_running_user_stack(V to, uint32_t bytes) {
  V result = unwind_by_tables(to, bytes);
  return b_.replace_if(b_.is_zero(result), result, "no_tables",
                       [&] { return get_stack(to, bytes, b_.number(helper_flags::user_stack)); });
}

// Reads the user stack and inserts the caller if the kernel missed it. Returns the size in bytes, or a negative error.
V Stacks::fill_user_stack(V to, uint32_t bytes, Walk walk) {
  V result = get_user_stack(to, bytes, walk);
  if (!has_return_address_on_top()) return result;
  V first = b_.load(to, 8, false), is_incomplete = is_incomplete_;
  if (bytes >= 16) {
    V caller = return_address();
    V is_missed = b_.ir.CreateAnd(b_.is_nonzero(caller), b_.ir.CreateICmpNE(b_.load(b_.at(to, 8), 8, false), caller));
    is_missed = b_.ir.CreateAnd(is_missed, b_.ir.CreateICmpSGT(result, b_.number(0)));
    result = b_.replace_if(is_missed, result, "caller_missed", [&] {
      V longer = b_.ir.CreateAdd(get_user_stack(b_.at(to, 8), bytes - 8, walk), b_.number(8));
      b_.store(b_.at(to, 8), caller, 8);
      return longer;
    });
    is_incomplete_ = is_incomplete;  // that of the second walk is not known on all paths
  }
  // A probe behind skipped instructions at the start of the function (endbr64) reports the start. The cookie holds the
  // distance.
  if (frame_.program->position == UprobePosition::Entry) {
    V moved = b_.ir.CreateAShr(b_.call(Helper::GetAttachCookie, {frame_.context}), b_.number(32));
    V is_there = b_.ir.CreateICmpSGT(result, b_.number(0));
    b_.store(to, b_.ir.CreateSub(first, b_.ir.CreateSelect(is_there, moved, b_.number(0))), 8);
  }
  return result;
}

// Writes the process and the frames. Returns the size of the frames in bytes, or a negative error.
V Stacks::write_user_stack(const Field& field, V to, uint32_t bytes, V process) {
  b_.store(to, process, 8);
  V frames = b_.at(to, 8);
  is_incomplete_ = nullptr;
  // If the consumer unwinds a copy of every stack, these frames only help it.
  V result = fill_user_stack(frames, bytes, field.has_copy ? Walk::ByFramePointers : Walk::ByTables);
  if (!copying_.has_ring() || field.has_copy || field.frames < 2) return result;
  V number = saved_stacks_.saves_user_stacks() ? saved_stacks_.saved_copy_number()
             : is_incomplete_ != nullptr       ? copying_.copy_to_ring(is_incomplete_, process, frames, field.frames)
                                               : nullptr;
  if (number != nullptr) b_.store(to, b_.ir.CreateOr(process, number), 8);
  return result;
}

// A stack that the kernel cannot walk is recorded as empty.
void Stacks::write_stack(const Field& field, V base, const Expr& at) {
  V to = b_.at(base, field.offset);
  bool is_user = field.kind == FieldKind::UserStack;
  if (!is_user && !has_kernel_stack(frame_)) return b_.zero(to, field.size);
  uint32_t bytes = is_user ? field.frames * 8 : field.size;
  V result = nullptr;
  if (is_user) {
    faults_.fault_if(b_.ir.getInt1(task_.has_other_subject() && !saved_stacks_.saves_user_stacks()), DS_FAULT_BADSTACK,
                     b_.number(0), at);
    V process = b_.ir.CreateLShr(task_.visible_pid_tgid(at), b_.number(32));
    result = write_user_stack(field, to, bytes, process);
    to = b_.at(to, 8);
  } else {
    result = get_kernel_stack(to, bytes, frames_to_skip());
  }
  core_.when(b_.ir.CreateICmpSLT(result, b_.number(0)), [&] { b_.zero(to, bytes); });
  if (!field.has_copy) return;
  if (saved_stacks_.saves_user_stacks()) saved_stacks_.copy_saved_stack(b_.at(to, bytes));
  else copying_.copy_user_stack(b_.at(to, bytes), stack_copy_bytes(plan_.options));
}

// In return probes of functions, the recorded stack starts with the caller. With kprobes, it already does.
bool Stacks::begins_at_caller() const { return frame_.is_function_return && frame_.kind == BpfContext::KernelProbe; }

// The flags of bpf_get_stack: the number of frames to skip. A trampoline adds frames to the start of the stack, and
// their number differs between kernels.
V Stacks::frames_to_skip() {
  if (frame_.kind != BpfContext::Function) return b_.number(0);
  constexpr uint32_t bytes = frames_to_caller * 8;
  V frames = b_.shared_slot(bytes, "frames");
  b_.zero(frames, bytes);
  get_stack(frames, bytes, b_.number(0));
  return b_.ir.CreateAdd(tracer_frames(frames), b_.number(frame_.is_function_return ? 1 : 0));
}

// The kernel function that called the probed one; 0 if there is none.
V Stacks::kernel_caller() {
  if (!has_kernel_stack(frame_)) return b_.number(0);
  constexpr uint32_t bytes = frames_to_caller * 8;
  V frames = b_.shared_slot(bytes, "frames");
  b_.zero(frames, bytes);
  get_kernel_stack(frames, bytes, b_.number(0));
  auto load = [&](uint32_t i) { return b_.load(b_.at(frames, i * 8), 8, false); };
  V value = load(begins_at_caller() ? 0 : 1);
  if (!has_tracer_frames()) return value;
  V first = tracer_frames(frames);
  for (uint32_t i = 1; i <= max_tracer_frames; ++i)
    value = b_.ir.CreateSelect(b_.ir.CreateICmpEQ(first, b_.number(i)), load(i + 1), value);
  return value;
}

// The second frame by frame pointers. Functions without frame pointers use the register for data, so the frame may be
// any number (docs/decisions/0038).
V Stacks::user_caller() {
  if (has_return_address_on_top()) return return_address();
  if (saved_stacks_.saves_user_stacks()) return saved_stacks_.saved_user_caller();
  constexpr uint32_t bytes = 16;
  V frames = b_.shared_slot(bytes, "user_frames");
  b_.zero(frames, bytes);
  auto confirmed = [&] {
    get_stack(frames, bytes, b_.number(helper_flags::user_stack));
    return saved_stacks_.confirmed_caller(b_.load(b_.at(frames, 8), 8, false));
  };
  if (!tables_.is_used() || task_.has_other_subject()) return confirmed();
  V unwound = unwind_by_tables(frames, bytes);
  return b_.replace_if(b_.is_zero(unwound), b_.load(b_.at(frames, 8), 8, false), "no_tables", confirmed);
}

V Stacks::kernel_depth() {
  if (!has_kernel_stack(frame_)) return b_.number(0);
  constexpr uint32_t bytes = max_counted_frames * 8;
  V frames = scratch_.temporary(bytes);
  V depth = frame_count(get_kernel_stack(frames, bytes, b_.number(0)));
  if (has_tracer_frames()) {
    depth = b_.ir.CreateSub(depth, tracer_frames(frames));
    if (frame_.is_function_return) depth = b_.ir.CreateSub(depth, b_.number(1));
    depth = b_.ir.CreateSelect(b_.ir.CreateICmpSLT(depth, b_.number(0)), b_.number(0), depth);
  }
  uint32_t limit = max_depth(plan_.options);
  if (limit == max_counted_frames) return depth;
  return b_.ir.CreateSelect(b_.ir.CreateICmpULT(depth, b_.number(limit)), depth, b_.number(limit));
}

V Stacks::user_depth() {
  const uint32_t bytes = max_depth(plan_.options) * 8;
  return frame_count(fill_user_stack(scratch_.temporary(bytes), bytes, Walk::ByTables));
}

V Stacks::frame_count(V result) {
  V is_failure = b_.ir.CreateICmpSLT(result, b_.number(0));
  return b_.ir.CreateSelect(is_failure, b_.number(0), b_.ir.CreateLShr(result, b_.number(3)));
}

}  // namespace dscope
