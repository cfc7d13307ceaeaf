// The state of the function being emitted, and the types that the lowerers pass to each other.
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

// The place of an object: its address and the kind of memory it is in.
struct Place {
  Space space = Space::None;
  V address = nullptr;  // Storage, Trusted: pointer; Kernel, User: i64
};

// The access that a place is computed for. Address: the program uses the address only and does not access the object.
enum class Access { Read, Write, Address };

// The function being emitted: a BPF program, or the function that runs the ERROR clauses.
struct Frame {
  llvm::Function* function = nullptr;
  BpfContext kind{};
  V context = nullptr;  // ptr: the program's argument
  V row = nullptr;      // i32: index into ProgramPlan::probes
  std::optional<uint32_t> constant_row;
  const ProgramLayout* program = nullptr;  // null in the ERROR function
  std::vector<uint32_t> rows;              // possible values of `row`
  llvm::BasicBlock* leave = nullptr;       // releases scratch and returns
  llvm::Instruction* slot = nullptr;       // placeholder for the scratch slot until the frame is finished
  V error_arguments[6] = {};               // ERROR: arg0..arg5
  const HookIterator* iterator = nullptr;  // of the program, if an iterator runs it
  V subject = nullptr;                     // ptr: the thread of the iterator's object
  bool is_error = false;
  bool is_function_return = false;  // of a kernel function
  bool is_security_hook = false;
  bool is_subprogram = false;  // the slot is the caller's: neither claimed nor released here
};

// Values of the subexpressions of an lvalue that is read and then stored to: `a[i++] += 2` increments i once. The first
// use fills them, the second reuses them.
struct LvalueParts {
  std::map<const Expr*, V> numbers;
  std::map<const Expr*, StringValue> strings;
  std::map<const Expr*, V> objects;  // copies of keys
  bool is_complete = false;
  // An assignment between the two uses may change the variables whose strings and objects are keys: copies remain.
  // Copies of objects that depend on a condition always remain.
  bool needs_copies = false;
};

// Values of inlines and of the arguments of inlines and translators, by ValueNumbering::number_of(). A definition may
// use such a value many times. Values computed in a conditional region are removed at its end.
struct KnownValues {
  std::unordered_map<uint32_t, llvm::Value*> values;
  std::vector<uint32_t> added;

  void add(uint32_t number, llvm::Value* value) {
    if (values.emplace(number, value).second) added.push_back(number);
  }
  // Keeps `added`: open regions have stored its size.
  void clear() { values.clear(); }
  void truncate(size_t count) {
    for (; added.size() > count; added.pop_back()) values.erase(added.back());
  }
};

// Values that are constant during one execution of a clause and are computed once.
enum class CachedValue : uint8_t {
  Task,            // pointer to the task that the probe is about
  TaskNumber,      // the same address as a number
  PidTgid,         // in the initial PID namespace
  VisiblePidTgid,  // in dscope's PID namespace
  UidGid,
  Goroutine,  // its number; 0 in code that belongs to the thread
  SavedRegisters,
  IsCompatCall,
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

// The state of the function being emitted. Emission of another function saves and restores it.
struct FunctionState {
  Frame frame;
  SourceRange range;  // of the code being emitted
  const ClauseInstance* clause = nullptr;
  const ClausePlan* clause_plan = nullptr;
  llvm::BasicBlock* next_clause = nullptr;
  V record = nullptr;           // reserved record of this clause, or null
  bool has_many_joins = false;  // see Lowering::as_unknown
  V unknown_zero = nullptr;
  ValueCache cache;                      // values of this clause
  ValueCache firing;                     // those that later clauses of this function may use too
  std::vector<CachedValue> invalidated;  // see Lowering::invalidate_in_outer_regions
  llvm::BasicBlock* clause_start = nullptr;
  KnownValues known;
  LvalueParts* lvalue_parts = nullptr;  // of the lvalue being emitted, if it is used twice
};

}  // namespace dscope
