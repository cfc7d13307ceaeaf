// Stacks of kernel and process: stack(), ustack(), and the variables that tell of callers and depths.
//
// The kernel walks user stacks by frame pointers, which a function sets up after its first instruction and gives up
// before its last one. There, the caller's address is still, or again, the top of the stack; a walk by the frame
// pointer alone begins at the caller's caller.
#include <algorithm>
#include <bit>

#include "codegen/lower/emitter.h"
#include "contract/stack_copy.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint64_t user_stack = 256;  // BPF_F_USER_STACK
constexpr uint32_t pt_regs_sp = 152;  // x86-64
constexpr uint32_t pt_regs_cs = 136;
constexpr uint32_t code_of_32_bits = 0x23;  // __USER32_CS

}  // namespace

// Linux puts the caller in by itself (since 6.11) where the first instruction is the usual one.
bool Emitter::has_return_address_on_top() const {
  const ProgramLayout* program = frame_.program;
  return program != nullptr && (program->place == UprobePlace::Entry || program->place == UprobePlace::Exit);
}

V Emitter::return_address() {
  V top = b_.shared_slot(8, "top");
  b_.zero(top, 8);
  V stack_pointer = b_.load(context_at(pt_regs_sp), 8, false);
  b_.call(Helper::ProbeReadUser, {top, b_.number32(8), stack_pointer});
  V address = b_.load(top, 8, false);
  V code = b_.load(context_at(pt_regs_cs), 8, false);
  V is_narrow = b_.ir.CreateICmpEQ(code, b_.number(code_of_32_bits));
  return b_.ir.CreateSelect(is_narrow, b_.ir.CreateAnd(address, b_.number(0xffffffff)), address);
}

// Negative if there is none; the kernel fills the rest of the buffer with zeroes.
V Emitter::get_stack(V to, uint32_t bytes, V flags) {
  if (has_other_subject()) return b_.call(Helper::GetTaskStack, {current_task(), to, b_.number32(bytes), flags});
  return b_.call(Helper::GetStack, {frame_.context, to, b_.number32(bytes), flags});
}

V Emitter::get_kernel_stack(V to, uint32_t bytes, V flags) {
  if (keeps_kernel_stacks()) return kept_kernel_stack(to, bytes);
  return get_stack(to, bytes, flags);
}

V Emitter::get_user_stack(V to, uint32_t bytes) {
  if (keeps_user_stacks()) return kept_user_stack(to, bytes);
  return get_stack(to, bytes, b_.number(user_stack));
}

// As the kernel gives it, with the caller that it missed. The bytes that were filled, or negative.
V Emitter::fill_user_stack(V to, uint32_t bytes) {
  V result = get_user_stack(to, bytes);
  if (!has_return_address_on_top()) return result;
  V first = b_.load(to, 8, false);
  if (bytes >= 16) {
    V caller = return_address();
    V is_missed = b_.ir.CreateAnd(b_.is_nonzero(caller), b_.ir.CreateICmpNE(b_.load(b_.at(to, 8), 8, false), caller));
    is_missed = b_.ir.CreateAnd(is_missed, b_.ir.CreateICmpSGT(result, b_.number(0)));
    result = b_.replaced_if(is_missed, result, "caller_missed", [&] {
      V longer = b_.ir.CreateAdd(get_user_stack(b_.at(to, 8), bytes - 8), b_.number(8));
      b_.store(b_.at(to, 8), caller, 8);
      return longer;
    });
  }
  // A place behind the mark at the function's beginning passes for the beginning.
  if (frame_.program->place == UprobePlace::Entry) {
    V moved = b_.ir.CreateAShr(b_.call(Helper::GetAttachCookie, {frame_.context}), b_.number(32));
    V is_there = b_.ir.CreateICmpSGT(result, b_.number(0));
    b_.store(to, b_.ir.CreateSub(first, b_.ir.CreateSelect(is_there, moved, b_.number(0))), 8);
  }
  return result;
}

// A stack that cannot be walked is empty.
void Emitter::write_stack(const Field& field, V base, const Expr& at) {
  V to = b_.at(base, field.offset);
  bool is_user = field.kind == FieldKind::UserStack;
  uint32_t bytes = is_user ? 8 + field.frames * 8 : field.size;
  if (is_user) {
    fault_if(b_.ir.getInt1(has_other_subject() && !keeps_user_stacks()), DS_FAULT_BADSTACK, b_.number(0), at);
    b_.store(to, b_.ir.CreateLShr(shown_pid_tgid(at), b_.number(32)), 8);
    to = b_.at(to, 8);
    bytes -= 8;
  }
  V result = is_user ? fill_user_stack(to, bytes) : get_kernel_stack(to, bytes, frames_to_skip());
  auto* failed = b_.block("no_stack");
  auto* on = b_.block("on");
  b_.ir.CreateCondBr(b_.ir.CreateICmpSLT(result, b_.number(0)), failed, on);
  b_.start(failed);
  b_.zero(to, bytes);
  b_.ir.CreateBr(on);
  b_.start(on);
  if (!field.has_copy) return;
  if (keeps_user_stacks()) copy_kept_stack(b_.at(to, bytes));
  else copy_user_stack(b_.at(to, bytes), stack_copy_bytes(plan_.options));
}

// A word of the struct pt_regs that describes the thread in its program.
V Emitter::user_word(uint32_t index) {
  if (frame_.kind == BpfContext::Probe) return b_.load(context_at(index * 8), 8, false);
  return syscall_register(index * 8);
}

// Pieces that cannot be read are zeroes: there are pages behind the stack's end, and within it that nobody has used.
void Emitter::copy_user_stack(V to, uint32_t most) {
  for (uint32_t i = 0; i < DS_STACK_REGISTERS; ++i) b_.store(b_.at(to, i * 8), user_word(i), 8);
  V size = b_.at(to, DS_STACK_REGISTERS * 8), start = user_word(pt_regs_sp / 8);
  V copied = b_.number(0);
  for (uint32_t at = 0; at < most; at += DS_STACK_PIECE_BYTES) {
    V result = b_.call(Helper::ProbeReadUser,
                       {b_.at(size, 8 + at), b_.number32(DS_STACK_PIECE_BYTES), b_.ir.CreateAdd(start, b_.number(at))});
    V is_missing = b_.ir.CreateICmpSLT(result, b_.number(0));
    copied = b_.ir.CreateSelect(is_missing, copied, b_.number(at + DS_STACK_PIECE_BYTES));
  }
  b_.store(size, copied, 8);
}

// Does the kernel stack begin with frames of the tracing? That of a thread that does not run begins where it gave up
// its CPU, unless a program kept it there, and kprobes have it begin at the probe by themselves.
bool Emitter::has_tracer_frames() const {
  if (has_other_subject() && !keeps_kernel_stacks()) return false;
  return frame_.kind == BpfContext::Function || (frame_.program != nullptr && !frame_.program->tracer_code.empty());
}

// When a function has returned, the stack begins with who called it. kprobes have it so by themselves.
bool Emitter::begins_at_caller() const { return frame_.is_function_return && frame_.kind == BpfContext::KernelProbe; }

// Flags for a kernel stack that is recorded. That of a trampoline begins with frames whose number differs between
// kernels.
V Emitter::frames_to_skip() {
  if (frame_.kind != BpfContext::Function) return b_.number(0);
  constexpr uint32_t bytes = frames_to_caller * 8;
  V frames = b_.shared_slot(bytes, "frames");
  b_.zero(frames, bytes);
  get_stack(frames, bytes, b_.number(0));
  return b_.ir.CreateAdd(tracer_frames(frames), b_.number(frame_.is_function_return ? 1 : 0));
}

// The kernel function that called; 0 if there is none.
V Emitter::kernel_caller() {
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

V Emitter::user_caller() {
  if (has_return_address_on_top()) return return_address();
  constexpr uint32_t bytes = 16;
  V frames = b_.shared_slot(bytes, "user_frames");
  b_.zero(frames, bytes);
  get_user_stack(frames, bytes);
  return b_.load(b_.at(frames, 8), 8, false);
}

// Of a trampoline: it was called from the first instructions of the function.
V Emitter::trampoline_frames(V frames) {
  constexpr uint64_t longest_prologue = 16, usual = 2;
  V count = b_.number(usual);
  if (frame_.is_security_hook) return count;  // which function it is the kernel tells others only
  V function = b_.call(Helper::GetFuncIp, {frame_.context});
  for (uint32_t i = max_tracer_frames; i > 0; --i) {
    V offset = b_.ir.CreateSub(b_.load(b_.at(frames, i * 8), 8, false), function);
    V is_function = b_.ir.CreateICmpULE(offset, b_.number(longest_prologue));
    count = b_.ir.CreateSelect(is_function, b_.number(i), count);
  }
  return count;
}

V Emitter::is_tracer_code(V address) {
  constexpr size_t many = 8;
  const auto& code = frame_.program->tracer_code;
  if (code.size() > many) {
    std::string name = fmt::format("ds_is_tracer_{}", frame_.program - layout_.programs.data());
    auto* type = llvm::FunctionType::get(b_.i64, {b_.i64}, false);
    llvm::Function* search = shared_function(
        name, type, [&](llvm::Function* function) { return found_in_ranges(function->getArg(0), code); });
    return b_.is_nonzero(b_.ir.CreateCall(search, {address}));
  }
  V is_tracer = b_.ir.getFalse();
  for (const auto& [begin, end] : code) {
    V offset = b_.ir.CreateSub(address, b_.number(begin));
    is_tracer = b_.ir.CreateOr(is_tracer, b_.ir.CreateICmpULT(offset, b_.number(end - begin)));
  }
  return is_tracer;
}

// Is an address of the kernel in one of the ranges? A binary search without branches: the verifier would follow each of
// its ways.
V Emitter::found_in_ranges(V address, std::vector<std::pair<uint64_t, uint64_t>> ranges) {
  std::sort(ranges.begin(), ranges.end());
  size_t size = std::bit_ceil(ranges.size());
  std::vector<uint64_t> begins(size, UINT64_MAX), ends(size);
  for (size_t i = 0; i < ranges.size(); ++i) {
    begins[i] = ranges[i].first;
    ends[i] = std::max(ranges[i].second, i > 0 ? ends[i - 1] : 0);
  }
  auto table = [&](const std::vector<uint64_t>& words, const char* name) {
    return b_.constant_bytes({reinterpret_cast<const char*>(words.data()), words.size() * 8},
                             static_cast<uint32_t>(words.size() * 8), name);
  };
  V begin_table = table(begins, "tracer_begins"), end_table = table(ends, "tracer_ends");
  auto entry = [&](V words, V index) { return b_.load(b_.at(words, b_.ir.CreateShl(index, b_.number(3))), 8, false); };
  V place = b_.number(0);
  for (size_t step = size / 2; step > 0; step /= 2) {
    V next = b_.ir.CreateAdd(place, b_.number(step));
    V is_before = b_.ir.CreateLShr(b_.ir.CreateSub(address, entry(begin_table, next)), b_.number(63));
    V is_there = b_.ir.CreateSub(b_.number(1), b_.guarded(is_before));
    place = b_.guarded(b_.ir.CreateAdd(place, b_.ir.CreateMul(is_there, b_.number(step))));
  }
  V is_behind = b_.ir.CreateICmpUGE(address, entry(begin_table, place));
  return b_.flag(b_.ir.CreateAnd(is_behind, b_.ir.CreateICmpULT(address, entry(end_table, place))));
}

// How many of the first frames lead from the probe to this program: the program itself, and what called it.
V Emitter::tracer_frames(V frames) {
  if (frame_.kind == BpfContext::Function) return trampoline_frames(frames);
  V count = b_.number(1), is_leading = b_.ir.getTrue();
  for (uint32_t i = 1; i < max_tracer_frames; ++i) {
    V address = b_.load(b_.at(frames, i * 8), 8, false);
    is_leading = b_.ir.CreateAnd(is_leading, is_tracer_code(address));
    count = b_.ir.CreateAdd(count, b_.flag(is_leading));
  }
  if (!keeps_kernel_stacks()) return count;
  return b_.ir.CreateSelect(b_.is_zero(b_.load(kept_kernel_size(), 8, false)), b_.number(0), count);
}

V Emitter::kernel_depth() {
  constexpr uint32_t bytes = max_counted_frames * 8;
  V frames = temporary(bytes);
  V depth = frame_count(get_kernel_stack(frames, bytes, b_.number(0)));
  if (!has_tracer_frames()) return depth;
  V own = b_.ir.CreateSub(depth, tracer_frames(frames));
  if (frame_.is_function_return) own = b_.ir.CreateSub(own, b_.number(1));
  return b_.ir.CreateSelect(b_.ir.CreateICmpSLT(own, b_.number(0)), b_.number(0), own);
}

V Emitter::user_depth() {
  constexpr uint32_t bytes = max_counted_frames * 8;
  return frame_count(fill_user_stack(temporary(bytes), bytes));
}

V Emitter::frame_count(V result) {
  V is_failure = b_.ir.CreateICmpSLT(result, b_.number(0));
  return b_.ir.CreateSelect(is_failure, b_.number(0), b_.ir.CreateLShr(result, b_.number(3)));
}

}  // namespace dscope
