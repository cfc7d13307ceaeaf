// The single-threaded loop of a run: looks at the ring on a timer or when a program asks for it, fires ticks, watches
// signals and targets, until something ends the run.
#pragma once

#include <functional>
#include <vector>

#include "runtime/attach/attach.h"
#include "runtime/session/module_watch.h"
#include "runtime/session/session_parts.h"
#include "runtime/targets/library_watch.h"
#include "runtime/targets/targets.h"

namespace dscope {

struct LoopParts {
  StateBlock& state;
  RingReader& ring;
  RecordPump& pump;
  Consumer& consumer;
  Symbolizer& symbols;
  OutputStream& out;
  const DropReader& drops;
  SignalWatch& signals;
  Targets& targets;
  const std::vector<FiredProgram>& timers;
  std::function<void(uint32_t pid)> on_exec;  // of Targets::Handlers
  LibraryWatch& libraries;                    // `on_exec` is called for those that load one, too
  std::function<bool()> awaits_probes;        // while it says so, targets may wait at loads
  // For what it tells of others; `ran_on`: whoever has mapped the file could not be held.
  std::function<void(const LibraryWatch::MappedFile& file, bool ran_on)> on_file;
  ModuleWatch* modules;  // null: what the kernel loads is of no interest
  std::function<void(const std::vector<std::string>& names)> on_modules;
  uint64_t status_period_ns;  // option statusrate
};

// Returns when exit() was called, a signal arrived, all targets ended or the output cannot be written; records may be
// left in the ring.
Result<> run_session_loop(LoopParts parts);

}  // namespace dscope
