// Lowerers: all lowering classes, wired up. Each lowers one part of D and holds references to the classes that it
// calls. D expressions are recursive: an index into a string is a number, and a number may be the length of a string.
// The references therefore form cycles, and no constructor may use another lowerer.
#pragma once

#include "codegen/lower/actions/actions.h"
#include "codegen/lower/actions/aggregations.h"
#include "codegen/lower/actions/fields.h"
#include "codegen/lower/actions/memory_actions.h"
#include "codegen/lower/actions/records.h"
#include "codegen/lower/actions/ring.h"
#include "codegen/lower/actions/speculation.h"
#include "codegen/lower/memory/alloca_memory.h"
#include "codegen/lower/memory/dynamic_variables.h"
#include "codegen/lower/memory/keys.h"
#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/memory/places.h"
#include "codegen/lower/memory/thread_locals.h"
#include "codegen/lower/memory/user_memory.h"
#include "codegen/lower/memory/variables.h"
#include "codegen/lower/probe/arguments.h"
#include "codegen/lower/probe/builtins.h"
#include "codegen/lower/probe/probe_names.h"
#include "codegen/lower/probe/saved_stacks.h"
#include "codegen/lower/probe/stack_copying.h"
#include "codegen/lower/probe/stacks.h"
#include "codegen/lower/probe/syscall_context.h"
#include "codegen/lower/probe/table_unwinding.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/probe/traced_variables.h"
#include "codegen/lower/programs/clauses.h"
#include "codegen/lower/programs/counters.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/programs/functions.h"
#include "codegen/lower/programs/iterators.h"
#include "codegen/lower/programs/programs.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/programs/syscall_rows.h"
#include "codegen/lower/subroutines/subroutines.h"
#include "codegen/lower/values/assignments.h"
#include "codegen/lower/values/atomic_updates.h"
#include "codegen/lower/values/conditions.h"
#include "codegen/lower/values/expressions.h"
#include "codegen/lower/values/operators.h"
#include "codegen/lower/values/string_memory.h"
#include "codegen/lower/values/strings.h"

namespace dscope {

struct Lowerers {
  Lowerers(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled,
           const LowerOptions& options, IrModule& out)
      : core(sources, meaning, compiled, options, out) {}
  Lowerers(const Lowerers&) = delete;

  Lowering core;
  ScratchSlot scratch{core};
  Counters counters{core, functions};
  Functions functions{core, scratch, iterators, alloca_memory};
  Faults faults{core, counters, functions, clauses, ring};
  SyscallRows syscall_rows{core, syscalls};
  Iterators iterators{core};
  Clauses clauses{core,          scratch, faults,  arguments,   expressions,
                  alloca_memory, records, actions, speculation, aggregations};
  Programs programs{core,    scratch,  counters, functions,    syscall_rows, iterators,
                    clauses, syscalls, task,     saved_stacks, alloca_memory};
  SyscallContext syscalls{core, functions, task};
  TaskContext task{core, memory};
  TableUnwinding tables{core, syscalls, task, memory};
  StackCopying copying{core, syscalls};
  SavedStacks saved_stacks{core, syscalls, task, tables, copying};
  Stacks stacks{core, scratch, functions, faults, task, saved_stacks, tables, copying};
  Arguments arguments{core, scratch, syscalls, expressions, memory};
  TracedVariables traced_variables{core, scratch, faults, task, memory};
  ProbeNames probe_names{core, scratch, builtins, string_memory};
  Builtins builtins{core, syscalls, task, stacks, probe_names, strings};
  Expressions expressions{core,           faults,  arguments,   builtins, operators, conditions, assignments,
                          atomic_updates, strings, subroutines, places,   memory,    variables,  traced_variables};
  Operators operators{core, faults, expressions, conditions, assignments, atomic_updates};
  Conditions conditions{core, task, expressions, operators, strings};
  Assignments assignments{core, scratch, strings, string_memory, places, memory, variables};
  AtomicUpdates atomic_updates{core, expressions, variables, dynamic_variables, keys};
  Strings strings{core,        scratch,     faults,        task,        arguments, probe_names,
                  expressions, assignments, string_memory, subroutines, places,    variables};
  StringMemory string_memory{core, scratch, faults, user_memory};
  Subroutines subroutines{core, *this};
  Places places{core,          scratch, faults,        task,      arguments,     expressions,       strings,
                string_memory, memory,  alloca_memory, variables, thread_locals, dynamic_variables, traced_variables};
  MemoryAccess memory{core, faults, user_memory};
  UserMemory user_memory{core, task};
  AllocaMemory alloca_memory{core, scratch, faults, thread_locals};
  Variables variables{core, scratch, task, string_memory, thread_locals, dynamic_variables, keys, traced_variables};
  ThreadLocals thread_locals{core, counters, functions, faults, task, dynamic_variables};
  DynamicVariables dynamic_variables{core, counters, faults};
  Keys keys{core, scratch, fields};
  Fields fields{core, task, stacks, expressions, strings, places, memory, scratch};
  Ring ring{core};
  Records records{core, counters, task, speculation, ring};
  Actions actions{core, counters, faults, expressions, fields, records, memory_actions, speculation};
  MemoryActions memory_actions{core, faults, expressions, memory, alloca_memory, fields};
  Speculation speculation{core, counters, faults, task, expressions, records, ring};
  Aggregations aggregations{core, counters, functions, task, expressions, strings, keys, fields};
};

}  // namespace dscope
