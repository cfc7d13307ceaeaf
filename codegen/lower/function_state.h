// What the emitter knows of the function it is at work on, and the values it hands around.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
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
  const HookIterator* iterator = nullptr;  // of the program, if that is what it hangs on
  V subject = nullptr;                     // ptr: the thread its object is, or belongs to
  bool is_error = false;
  bool is_function_return = false;  // of a kernel function
  bool is_security_hook = false;
  bool is_subprogram = false;  // slot is the caller's: neither claimed nor released here
};

// Values of the parts of an lvalue that is used twice, to read it and to store: `a[i++] += 2` steps i once. Filled
// while it is used for the first time.
struct LvalueParts {
  std::map<const Expr*, V> numbers;
  std::map<const Expr*, StringValue> strings;
  bool is_complete = false;
};

// Values of inlines, and of arguments of inlines and translators, which definitions may name often: by
// ValueNumbering::number_of(). What was added later is taken back where a region ends that may not be executed.
struct KnownValues {
  std::unordered_map<uint32_t, llvm::Value*> values;
  std::vector<uint32_t> added;

  void add(uint32_t number, llvm::Value* value) {
    if (values.emplace(number, value).second) added.push_back(number);
  }
  // `added` stays as it is: regions count it.
  void forget_all() { values.clear(); }
  void forget_from(size_t count) {
    for (; added.size() > count; added.pop_back()) values.erase(added.back());
  }
};

// What belongs to the function being emitted; set aside while another one is.
struct FunctionState {
  Frame frame;
  SourceRange range;  // being emitted
  const ClauseInstance* clause = nullptr;
  const ClausePlan* clause_plan = nullptr;
  llvm::BasicBlock* next_clause = nullptr;
  V record = nullptr;       // reserved record of this clause, or null
  V speculation = nullptr;  // slot: ds_record_header::speculation of this clause, 0 as long as it does not speculate
  V room = nullptr;         // slot: bytes the speculation still takes
  bool has_exit = false;
  bool is_complex = false;  // see Emitter::merged
  V unknown_zero = nullptr;
  std::map<std::string, V> cache;   // values that stay the same while a clause runs
  std::map<std::string, V> firing;  // those of them that later clauses of this function have, too
  llvm::BasicBlock* clause_start = nullptr;
  KnownValues known;
  uint32_t storage_creations = 0;                // stores to thread-locals emitted so far
  std::map<uint32_t, llvm::AllocaInst*> locals;  // this-> scalars, by variable
  llvm::AllocaInst* alloca_used = nullptr;       // bytes of alloca()/copyin() memory used by this clause
  std::vector<llvm::AllocaInst*> key_areas;      // stack memory for small keys, by nesting depth
  size_t key_depth = 0;
};

}  // namespace dscope
