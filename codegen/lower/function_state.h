// State of the function being emitted, and the values that the parts of codegen pass to each other.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "codegen/core/llvm_headers.h"
#include "frontend/plan/plan_builder.h"
#include "frontend/semantics/semantics.h"

namespace dscope {

using V = llvm::Value*;

// A D string at run time: zero-padded memory of `capacity` bytes (multiple of 8, directly addressable).
struct StringValue {
  V data = nullptr;
  uint32_t capacity = 0;
  V is_null = nullptr;  // i1; nullptr: never NULL
};

// An object in memory: where its bytes are.
struct Place {
  Space space = Space::None;
  V address = nullptr;  // Storage, Trusted: pointer; Kernel, User: i64
};

// The use that a place is computed for. Address: only the address of the object is used.
enum class Access { Read, Write, Address };

// The function being emitted: a BPF program, or the function that runs the ERROR clauses.
struct Frame {
  llvm::Function* function = nullptr;
  BpfContext kind{};
  V context = nullptr;  // ptr: the program's argument
  V row = nullptr;      // i32: index into ProgramPlan::probes
  std::optional<uint32_t> constant_row;
  const ProgramLayout* program = nullptr;  // null in the ERROR function
  std::vector<uint32_t> rows;              // rows that can be `row`
  llvm::BasicBlock* leave = nullptr;       // releases scratch and returns
  llvm::Instruction* slot = nullptr;       // stands for the scratch slot until the frame is finished
  V error_arguments[6] = {};               // ERROR: arg0..arg5
  const HookIterator* iterator = nullptr;  // of the program, if an iterator runs it
  V subject = nullptr;                     // ptr: the thread that the iterator's object is or belongs to
  bool is_error = false;
  bool is_function_return = false;  // of a kernel function
  bool is_security_hook = false;
  bool is_subprogram = false;  // the slot is the caller's: neither claimed nor released here
};

// Values of the parts of an lvalue that is used twice, to read it and to store to it: `a[i++] += 2` increments i once.
// Filled during the first use.
struct LvalueParts {
  std::map<const Expr*, V> numbers;
  std::map<const Expr*, StringValue> strings;
  bool is_complete = false;
};

// Values of inlines, and of arguments of inlines and translators, which definitions may mention often, by
// ValueNumbering::number_of(). Values added in a region that may not be executed are removed at its end.
struct KnownValues {
  std::unordered_map<uint32_t, llvm::Value*> values;
  std::vector<uint32_t> added;

  void add(uint32_t number, llvm::Value* value) {
    if (values.emplace(number, value).second) added.push_back(number);
  }
  // Keeps `added`: regions remember its size.
  void clear() { values.clear(); }
  void truncate(size_t count) {
    for (; added.size() > count; added.pop_back()) values.erase(added.back());
  }
};

// Values that stay the same while a clause runs, and are computed once.
enum class CachedValue : uint8_t {
  Task,            // the thread a probe is about, as a pointer
  TaskNumber,      // its address, as a number
  PidTgid,         // in the initial namespace
  VisiblePidTgid,  // in dscope's namespace
  SavedRegisters,
  IsI386Call,
  Cpu,
  Timestamp,
  RecordAddress,
  Execname,         // in the scratch slot
  StackedExecname,  // on the stack
  TaskStorage,      // never null
  MaybeTaskStorage,
  Count,
};

class ValueCache {
 public:
  // Null if the value has not been computed in this region.
  V find(CachedValue key) const { return values_[static_cast<size_t>(key)]; }
  void set(CachedValue key, V value) { values_[static_cast<size_t>(key)] = value; }
  void invalidate(CachedValue key) { set(key, nullptr); }
  void clear() { values_ = {}; }

 private:
  std::array<V, static_cast<size_t>(CachedValue::Count)> values_{};
};

// State of the function being emitted; set aside while another function is.
struct FunctionState {
  Frame frame;
  SourceRange range;  // being emitted
  const ClauseInstance* clause = nullptr;
  const ClausePlan* clause_plan = nullptr;
  llvm::BasicBlock* next_clause = nullptr;
  V record = nullptr;       // reserved record of this clause, or null
  bool is_complex = false;  // see Lowering::as_unknown
  V unknown_zero = nullptr;
  ValueCache cache;                      // of this clause
  ValueCache firing;                     // those of them that later clauses of this function can use
  std::vector<CachedValue> invalidated;  // see Lowering::invalidate_in_outer_regions
  llvm::BasicBlock* clause_start = nullptr;
  KnownValues known;
  LvalueParts* lvalue_parts = nullptr;  // of the lvalue being emitted, if it is used twice
};

}  // namespace dscope
