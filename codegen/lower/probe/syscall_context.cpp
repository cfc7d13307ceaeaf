// System calls: all that a script names share a program for each direction, which finds out by the number which one it
// is (providers.md 3.3). Calls of 32-bit programs have other numbers and registers. A probe may be only part of a
// call's firings, told by its arguments, and have these in another order (HookSyscall).
#include <algorithm>
#include <bit>
#include <cerrno>
#include <map>
#include <set>

#include "codegen/lower/emitter.h"

namespace dscope {

namespace {

constexpr int64_t greatest_errno = 4095;
constexpr uint32_t syscall_limit = 512;  // above every number of x86-64
constexpr uint32_t first_part = 2048;    // above every number that scripts can name
constexpr size_t switch_limit = 8;       // up to so many system calls are told apart by comparisons

// struct pt_regs of x86-64: part of the user ABI (asm/ptrace.h).
constexpr uint32_t pt_regs_orig_ax = 120;
constexpr uint32_t syscall_argument_offsets[] = {112, 104, 96, 56, 72, 64};  // di si dx r10 r8 r9

// By what a row is found: the number of the call, or one beyond all for those that are only part of a call's firings.
uint32_t key_of(const ProgramLayout& layout, size_t row) {
  const HookSyscall& call = layout.calls[row];
  return call.conditions.empty() ? call.number : first_part + static_cast<uint32_t>(row);
}

}  // namespace

// What the current task saved when it entered the kernel.
V Emitter::saved_registers() {
  return once_per_firing("pt_regs", [&] { return b_.call_for_same_pointer(Helper::TaskPtRegs, {current_task()}); });
}

// The registers of a system call.
V Emitter::syscall_register(uint32_t byte_offset) {
  return b_.load_kernel(b_.at(saved_registers(), byte_offset), 8, false);
}

V Emitter::syscall_number() {
  V number = frame_.program->is_return ? syscall_register(pt_regs_orig_ax) : b_.load(context_at(8), 8, false);
  number = number_for_64_bits(number);
  cache_.clear();
  return number;
}

// The argument that the probe has at that place, whichever of its calls it is.
V Emitter::syscall_argument(uint32_t place) {
  const ProgramLayout& layout = *frame_.program;
  std::vector<uint16_t> sources(std::bit_ceil(plan_.probes.size()), HookSyscall::no_argument);
  std::set<uint32_t> used;
  for (size_t i = 0; i < layout.calls.size(); ++i) {
    if (std::ranges::count(frame_.rows, layout.rows[i]) == 0) continue;
    const std::vector<uint8_t>& order = layout.calls[i].order;
    sources[layout.rows[i]] = order.empty() ? static_cast<uint8_t>(place) : order[place];
    used.insert(sources[layout.rows[i]]);
  }
  V source = nullptr;
  if (used.size() > 1) {
    V row = b_.ir.CreateAnd(b_.guarded(b_.ir.CreateZExt(frame_.row, b_.i64)), b_.number(sources.size() - 1));
    source = b_.load(b_.at(b_.constant_words16(sources, "order"), b_.ir.CreateShl(row, b_.number(1))), 2, false);
  }
  V value = b_.number(0);
  for (uint32_t each : used) {
    if (each == HookSyscall::no_argument) continue;
    V argument = call_argument(each);
    value =
        source == nullptr ? argument : b_.ir.CreateSelect(b_.ir.CreateICmpEQ(source, b_.number(each)), argument, value);
  }
  return value;
}

V Emitter::call_argument(uint32_t index) {
  auto emit = [&](llvm::Function*) -> V {
    return i386_argument_or(syscall_register(syscall_argument_offsets[index]), index);
  };
  if (!has_many_clauses()) return emit(nullptr);
  auto* type = llvm::FunctionType::get(b_.i64, false);
  return b_.ir.CreateCall(shared_function(fmt::format("ds_argument_{}", index), type, emit));
}

V Emitter::syscall_return() { return b_.load_kernel(context_at(8), 8, true); }

V Emitter::is_error(V result) {
  V error = b_.ir.CreateNeg(result);
  return b_.ir.CreateICmpULE(b_.ir.CreateSub(error, b_.number(1)), b_.number(greatest_errno - 1));
}

// The error number of a call, 0 if it succeeded. The kernel tells itself by numbers of its own how to go on with a call
// that a signal interrupted; Solaris has EINTR for all of them.
V Emitter::error_number() {
  V result = syscall_return();
  V number = b_.ir.CreateSelect(is_error(result), b_.ir.CreateNeg(result), b_.number(0));
  if (!is_solaris_mode()) return number;
  constexpr uint64_t restarts[] = {512, 513, 514, 516};  // ERESTARTSYS and others of include/linux/errno.h
  V is_restart = b_.ir.getFalse();
  for (uint64_t each : restarts) is_restart = b_.ir.CreateOr(is_restart, b_.ir.CreateICmpEQ(number, b_.number(each)));
  return b_.ir.CreateSelect(is_restart, b_.number(EINTR), number);
}

// What arg0 and arg1 are: Solaris says -1 of calls that failed.
V Emitter::returned_value() {
  V result = syscall_return();
  if (!is_solaris_mode()) return result;
  return b_.ir.CreateSelect(is_error(result), b_.number(static_cast<uint64_t>(-1)), result);
}

V Emitter::holds(const SyscallCondition& condition) {
  V value = call_argument(condition.argument);
  if (condition.is_in_memory) {
    V copy = b_.shared_slot(8, "read");
    b_.zero(copy, 8);
    b_.call(Helper::ProbeReadUser, {copy, b_.number32(8), value});
    value = b_.load(copy, 8, false);
  }
  V bits = b_.ir.CreateAnd(value, b_.number(condition.bits));
  return condition.has_some ? b_.is_nonzero(bits) : b_.is_zero(bits);
}

// The key of the row that a call belongs to, if some belong to one only on conditions.
V Emitter::key_of_part(const ProgramLayout& layout, V number, llvm::BasicBlock* skip) {
  std::map<uint32_t, std::vector<size_t>> parts;
  for (size_t i = 0; i < layout.calls.size(); ++i)
    if (!layout.calls[i].conditions.empty()) parts[layout.calls[i].number].push_back(i);
  if (parts.empty()) return number;
  b_.leave_if(b_.ir.CreateICmpUGE(number, b_.number(first_part)), skip);
  auto* before = b_.ir.GetInsertBlock();
  auto* after = llvm::BasicBlock::Create(b_.module().getContext(), "told", frame_.function);
  auto* choice = b_.ir.CreateSwitch(number, after, static_cast<unsigned>(parts.size()));
  b_.start(after);
  auto* result = b_.ir.CreatePHI(b_.i64, static_cast<unsigned>(parts.size()) + 1);
  result->addIncoming(number, before);
  for (const auto& [call, rows] : parts) {
    auto* tell = b_.block("tell");
    choice->addCase(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(b_.i64), call), tell);
    b_.start(tell);
    cache_.clear();
    V key = number;
    for (size_t row : rows) {
      V is_part = b_.ir.getTrue();
      for (const SyscallCondition& each : layout.calls[row].conditions) is_part = b_.ir.CreateAnd(is_part, holds(each));
      key = b_.ir.CreateSelect(is_part, b_.number(key_of(layout, row)), key);
    }
    result->addIncoming(key, b_.ir.GetInsertBlock());
    b_.ir.CreateBr(after);
  }
  cache_.clear();
  b_.start(after);
  return result;
}

// The row of a system call and, when lists differ, which list runs: comparisons for a few calls, else tables.
V Emitter::table_row(const ProgramLayout& layout, V number, V& list) {
  auto* skip = llvm::BasicBlock::Create(b_.module().getContext(), "skip", frame_.function);
  bool has_lists = layout.lists.size() > 1;
  V row = nullptr;
  V key = key_of_part(layout, number, skip);
  uint32_t limit = syscall_limit;
  for (size_t i = 0; i < layout.rows.size(); ++i) limit = std::max(limit, key_of(layout, i) + 1);
  // Numbers that no call has are there if a script names them (sys_99999).
  constexpr uint32_t largest_table = 8192;
  if (layout.rows.size() <= switch_limit || limit > largest_table) {
    auto* found = llvm::BasicBlock::Create(b_.module().getContext(), "found", frame_.function);
    auto* choice = b_.ir.CreateSwitch(key, skip, static_cast<unsigned>(layout.rows.size()));
    auto count_of_rows = static_cast<unsigned>(layout.rows.size());
    b_.start(found);
    auto* row_phi = b_.ir.CreatePHI(b_.i32, count_of_rows);
    auto* list_phi = b_.ir.CreatePHI(b_.i32, count_of_rows);
    for (size_t i = 0; i < layout.rows.size(); ++i) {
      auto* one = llvm::BasicBlock::Create(b_.module().getContext(), "call", frame_.function);
      choice->addCase(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(b_.i64), key_of(layout, i)), one);
      b_.start(one);
      b_.ir.CreateBr(found);
      row_phi->addIncoming(b_.number32(layout.rows[i]), one);
      list_phi->addIncoming(b_.number32(layout.list_of_row[i]), one);
    }
    b_.start(found);
    row = row_phi;
    if (has_lists) list = list_phi;
  } else {
    std::vector<uint16_t> rows(limit), lists(limit);
    for (size_t i = 0; i < layout.rows.size(); ++i) {
      rows[key_of(layout, i)] = static_cast<uint16_t>(layout.rows[i] + 1);
      lists[key_of(layout, i)] = static_cast<uint16_t>(layout.list_of_row[i]);
    }
    b_.leave_if(b_.ir.CreateICmpUGE(key, b_.number(limit)), skip);
    V offset = b_.ir.CreateShl(key, b_.number(1));
    V entry = b_.load(b_.at(b_.constant_words16(rows, "rows"), offset), 2, false);
    b_.leave_if(b_.is_zero(entry), skip);
    row = b_.ir.CreateTrunc(b_.ir.CreateSub(entry, b_.number(1)), b_.i32);
    // For the verifier, which does not know what is in the table.
    b_.leave_if(b_.ir.CreateICmpUGE(row, b_.number32(static_cast<uint32_t>(plan_.probes.size()))), skip);
    if (has_lists)
      list = b_.ir.CreateTrunc(b_.load(b_.at(b_.constant_words16(lists, "lists"), offset), 2, false), b_.i32);
  }
  auto here = b_.ir.saveIP();
  b_.start(skip);
  b_.ir.CreateRet(b_.number32(0));
  b_.ir.restoreIP(here);
  return row;
}

}  // namespace dscope
