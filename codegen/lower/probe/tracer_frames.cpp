// Finds the frames at the start of a kernel stack that belong to the tracing: the BPF program and its callers.
#include "codegen/lower/probe/stacks.h"

#include <algorithm>
#include <bit>

#include "codegen/lower/probe/saved_stacks.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/functions.h"

namespace dscope {

// Whether the kernel stack starts with tracer frames. The stack of a waiting thread starts where it gave up its CPU,
// unless a program saved it there. With kprobes, the stack starts at the probe.
bool Stacks::has_tracer_frames() const {
  if (task_.has_other_subject() && !saved_stacks_.saves_kernel_stacks()) return false;
  return frame_.kind == BpfContext::Function || (frame_.program != nullptr && !frame_.program->tracer_code.empty());
}

// The number of tracer frames in a stack taken under a trampoline, which the function's first instructions call. Since
// Linux 6.19 the function has no frame of its own when it returns. The last tracer frame then stands for it, because
// return probes skip the function's frame.
V Stacks::trampoline_frames(V frames) {
  constexpr uint64_t max_prologue_bytes = 16;
  V count = b_.number((frame_.is_function_return ? 1 : 2) + (frame_.is_subprogram ? 1 : 0));
  if (frame_.is_security_hook) return count;  // bpf_get_func_ip is not available to security hooks
  V function = b_.call(Helper::GetFuncIp, {frame_.context});
  for (uint32_t i = max_tracer_frames; i > 0; --i) {
    V offset = b_.ir.CreateSub(b_.load(b_.at(frames, i * 8), 8, false), function);
    V is_function = b_.ir.CreateICmpULE(offset, b_.number(max_prologue_bytes));
    count = b_.ir.CreateSelect(is_function, b_.number(i), count);
  }
  return count;
}

V Stacks::is_tracer_code(V address) {
  constexpr size_t many = 8;
  const auto& code = frame_.program->tracer_code;
  if (code.size() > many || core_.is_portable()) {
    std::string name = fmt::format("ds_is_tracer_{}", frame_.program - layout_.programs.data());
    auto* type = llvm::FunctionType::get(b_.i64, {b_.i64}, false);
    llvm::Function* search = functions_.shared_function(
        name, type, [&](llvm::Function* function) { return found_in_ranges(function->getArg(0)); });
    return b_.is_nonzero(b_.ir.CreateCall(search, {address}));
  }
  V is_tracer = b_.ir.getFalse();
  for (const auto& [begin, end] : code) {
    V offset = b_.ir.CreateSub(address, b_.number(begin));
    is_tracer = b_.ir.CreateOr(is_tracer, b_.ir.CreateICmpULT(offset, b_.number(end - begin)));
  }
  return is_tracer;
}

// Whether a kernel address is in one of the ranges. A branch-free binary search: the verifier would follow each path of
// a branching one.
V Stacks::found_in_ranges(V address) {
  size_t size = tracer_range_count(*frame_.program, core_.table_size());
  auto table = [&](MachineTable kind, const char* name) {
    auto program = static_cast<uint32_t>(frame_.program - layout_.programs.data());
    return core_.machine_table({.kind = kind, .program = program}, name);
  };
  V begin_table = table(MachineTable::TracerBegins, "tracer_begins"),
    end_table = table(MachineTable::TracerEnds, "tracer_ends");
  auto entry = [&](V words, V index) { return b_.load(b_.at(words, b_.ir.CreateShl(index, b_.number(3))), 8, false); };
  V position = b_.number(0);
  for (size_t step = size / 2; step > 0; step /= 2) {
    V next = b_.ir.CreateAdd(position, b_.number(step));
    V is_before = b_.ir.CreateLShr(b_.ir.CreateSub(address, entry(begin_table, next)), b_.number(63));
    V is_there = b_.ir.CreateSub(b_.number(1), b_.pin(is_before));
    position = b_.pin(b_.ir.CreateAdd(position, b_.ir.CreateMul(is_there, b_.number(step))));
  }
  V is_behind = b_.ir.CreateICmpUGE(address, entry(begin_table, position));
  return b_.flag(b_.ir.CreateAnd(is_behind, b_.ir.CreateICmpULT(address, entry(end_table, position))));
}

// The number of tracer frames at the start of the stack: the program, the function of the clause if it has one, and
// their callers up to the probe. No clause function runs yet when a stack is saved.
V Stacks::tracer_frames(V frames) {
  if (frame_.kind == BpfContext::Function) return trampoline_frames(frames);
  const uint32_t own_frames = frame_.is_subprogram && !saved_stacks_.saves_kernel_stacks() ? 2 : 1;
  V count = b_.number(own_frames), is_leading = b_.ir.getTrue();
  for (uint32_t i = own_frames; i < max_tracer_frames; ++i) {
    V address = b_.load(b_.at(frames, i * 8), 8, false);
    is_leading = b_.ir.CreateAnd(is_leading, is_tracer_code(address));
    count = b_.ir.CreateAdd(count, b_.flag(is_leading));
  }
  if (!saved_stacks_.saves_kernel_stacks()) return count;
  return b_.ir.CreateSelect(b_.is_zero(b_.load(saved_stacks_.saved_kernel_size(), 8, false)), b_.number(0), count);
}

}  // namespace dscope
