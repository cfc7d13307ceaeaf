#include "codegen/lower/programs/syscall_rows.h"

#include <algorithm>
#include <map>

#include "codegen/lower/probe/syscall_context.h"

namespace dscope {

namespace {

constexpr size_t switch_limit = 8;  // the maximum number of system calls that a switch selects

}  // namespace

V SyscallRows::holds(const SyscallCondition& condition) {
  V value = syscalls_.call_argument(condition.argument);
  if (condition.is_in_memory) {
    V copy = b_.shared_slot(8, "read");
    b_.zero(copy, 8);
    b_.call(Helper::ProbeReadUser, {copy, b_.number32(8), value});
    value = b_.load(copy, 8, false);
  }
  V bits = b_.ir.CreateAnd(value, b_.number(condition.bits));
  return condition.has_some ? b_.is_nonzero(bits) : b_.is_zero(bits);
}

// Returns the key of the row that a call belongs to: a conditional row if the call meets its conditions, else the
// number itself.
V SyscallRows::conditional_key(const ProgramLayout& layout, V number, llvm::BasicBlock* skip) {
  std::map<uint32_t, std::vector<size_t>> conditional_rows;
  for (size_t i = 0; i < layout.calls.size(); ++i)
    if (!layout.calls[i].conditions.empty()) conditional_rows[layout.calls[i].number].push_back(i);
  if (conditional_rows.empty()) return number;
  b_.branch_if(b_.ir.CreateICmpUGE(number, b_.number(first_conditional_key)), skip);
  auto* before = b_.ir.GetInsertBlock();
  auto* after = llvm::BasicBlock::Create(b_.module().getContext(), "selected", frame_.function);
  auto* choice = b_.ir.CreateSwitch(number, after, static_cast<unsigned>(conditional_rows.size()));
  b_.start(after);
  auto* result = b_.ir.CreatePHI(b_.i64, static_cast<unsigned>(conditional_rows.size()) + 1);
  result->addIncoming(number, before);
  for (const auto& [call, rows] : conditional_rows) {
    auto* conditional = b_.block("conditional");
    choice->addCase(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(b_.i64), call), conditional);
    b_.start(conditional);
    state_.cache.clear();
    V key = number;
    for (size_t row : rows) {
      V matches = b_.ir.getTrue();
      for (const SyscallCondition& each : layout.calls[row].conditions) matches = b_.ir.CreateAnd(matches, holds(each));
      key = b_.ir.CreateSelect(matches, b_.number(syscall_key(layout, row)), key);
    }
    result->addIncoming(key, b_.ir.GetInsertBlock());
    b_.ir.CreateBr(after);
  }
  state_.cache.clear();
  b_.start(after);
  return result;
}

// Returns the row of a system call and, if the program has several lists, sets `list`. Emits a switch for a few calls,
// else tables.
V SyscallRows::table_row(const ProgramLayout& layout, V number, V& list) {
  auto* skip = llvm::BasicBlock::Create(b_.module().getContext(), "skip", frame_.function);
  bool has_lists = layout.lists.size() > 1;
  V row = nullptr;
  V key = conditional_key(layout, number, skip);
  // A script may name numbers that no call has (sys_99999), which would make the table too large.
  uint32_t limit = syscall_key_limit(layout, core_.table_size());
  bool is_few = layout.rows.size() <= switch_limit && !core_.is_portable();
  if (is_few || limit > max_syscall_keys) {
    auto* found = llvm::BasicBlock::Create(b_.module().getContext(), "found", frame_.function);
    auto* choice = b_.ir.CreateSwitch(key, skip, static_cast<unsigned>(layout.rows.size()));
    auto count_of_rows = static_cast<unsigned>(layout.rows.size());
    b_.start(found);
    auto* row_phi = b_.ir.CreatePHI(b_.i32, count_of_rows);
    auto* list_phi = b_.ir.CreatePHI(b_.i32, count_of_rows);
    for (size_t i = 0; i < layout.rows.size(); ++i) {
      auto* call = llvm::BasicBlock::Create(b_.module().getContext(), "call", frame_.function);
      choice->addCase(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(b_.i64), syscall_key(layout, i)), call);
      b_.start(call);
      b_.ir.CreateBr(found);
      row_phi->addIncoming(b_.number32(layout.rows[i]), call);
      list_phi->addIncoming(b_.number32(layout.list_of_row[i]), call);
    }
    b_.start(found);
    row = row_phi;
    if (has_lists) list = list_phi;
  } else {
    auto table = [&](MachineTable kind, const char* name) {
      auto program = static_cast<uint32_t>(&layout - layout_.programs.data());
      return core_.machine_table({.kind = kind, .program = program}, name);
    };
    b_.branch_if(b_.ir.CreateICmpUGE(key, b_.number(limit)), skip);
    V offset = b_.ir.CreateShl(key, b_.number(1));
    V entry = b_.load(b_.at(table(MachineTable::SyscallRows, "rows"), offset), 2, false);
    b_.branch_if(b_.is_zero(entry), skip);
    row = b_.ir.CreateTrunc(b_.ir.CreateSub(entry, b_.number(1)), b_.i32);
    // The verifier needs this test: it does not know the contents of the table.
    b_.branch_if(b_.ir.CreateICmpUGE(row, core_.row_count()), skip);
    if (has_lists)
      list = b_.ir.CreateTrunc(b_.load(b_.at(table(MachineTable::SyscallLists, "lists"), offset), 2, false), b_.i32);
  }
  auto here = b_.ir.saveIP();
  b_.start(skip);
  b_.ir.CreateRet(b_.number32(0));
  b_.ir.restoreIP(here);
  return row;
}

}  // namespace dscope
