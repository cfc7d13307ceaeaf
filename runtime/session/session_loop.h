// The single-threaded loop of a run: consumes the ring on a timer or when a program wakes it, fires ticks, handles
// signals, targets, mapped files and modules, until the run ends.
#pragma once

#include <functional>
#include <vector>

#include "runtime/attach/attach.h"
#include "runtime/session/clause_budget.h"
#include "runtime/session/module_watch.h"
#include "runtime/session/record_pump.h"
#include "runtime/session/signal_watch.h"
#include "runtime/session/state_block.h"
#include "runtime/targets/library_watch.h"
#include "runtime/targets/targets.h"
#include "runtime/unwind/process_tables.h"
#include "runtime/unwind/stack_copies.h"

namespace dscope {

struct LoopParts {
  StateBlock& state;
  RingSet& ring;
  RecordPump& pump;
  Consumer& consumer;
  Symbolizer& symbols;
  OutputStream& out;
  const DropReader& drops;
  SignalWatch& signals;
  Targets& targets;
  const std::vector<FiredProgram>& timers;
  std::function<void(uint32_t pid)> on_exec;  // see Targets::Handlers; also called for processes that load a library
  LibraryWatch& libraries;
  std::function<bool()> awaits_probes;  // when it returns false, targets no longer stop at library loads
  // Called for new files that other processes map. `ran_on`: the thread that mapped the file could not be stopped while
  // its probes are attached.
  std::function<void(const LibraryWatch::MappedFile& file, bool ran_on)> on_file;
  ModuleWatch* modules;  // null: modules are not watched
  std::function<void(const std::vector<std::string>& names)> on_modules;
  ProcessTables* unwind_tables;  // null: no program unwinds by tables
  StackCopies* stack_copies;     // null: no program copies the stacks that it cannot unwind
  ClauseBudget* budget;          // null: clauses have no budget
  uint64_t status_period_ns;     // option statusrate: interval of drop reports
};

// Returns when a program has called exit(), a signal arrived, all targets have ended or the output cannot be written.
// May leave records in the ring. Error if epoll, a timer or a tick program fails.
Result<> run_session_loop(LoopParts parts);

}  // namespace dscope
