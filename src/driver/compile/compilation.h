// Compilation: the front half of a run as one value: texts, tree, semantics and plan of all units of the command line.
// Needs a Host, never privileges.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/option_values.h"
#include "contract/tracer_identity.h"
#include "driver/command_line/command_line.h"
#include "driver/compile/archived_sources.h"
#include "driver/compile/library_files.h"
#include "frontend/plan/plan_builder.h"
#include "frontend/record/record_plan.h"
#include "frontend/refine/next_key.h"
#include "frontend/semantics/semantics.h"
#include "frontend/syntax/ast.h"
#include "frontend/syntax/token.h"
#include "support/diagnostic.h"
#include "support/progress.h"
#include "support/result.h"
#include "support/source.h"

namespace dscope {

// A D library that does not compile on this machine, or one of its definitions, and the error that is the cause.
struct SkippedLibrary {
  std::string path;
  std::string definition;  // an inline, or a member of a translator; empty: the whole library
  std::string reason;
};

struct Compilation {
  // Set before compile(): the texts of a bundle. Null: the files of the command line and of the machine.
  const ArchivedSources* archived = nullptr;
  // Set before compile(), for --record: the clauses without actions are replaced by clauses that record their probes.
  // Null: the clauses print rows.
  RecordPlan* recording = nullptr;
  // Set before compile(): texts that replace the built-in libraries of the same names.
  std::vector<LibraryFile> replaced_libraries;
  // Set before compile(), for --replay: the process that recorded. nullopt: this process.
  std::optional<TracerIdentity> tracer;
  // Set before compile(): what a program that looks closer can ask for.
  KeySources key_sources;
  SourceSet sources;
  Diagnostics diagnostics{sources};
  Program program;
  Semantics meaning;
  CompiledPlan compiled;
  std::vector<UnitId> user_units;
  std::vector<UnitId> built_in_libraries;
  std::vector<SkippedLibrary> skipped_libraries;
  std::vector<Token> tokens;  // of the user's units; empty without --dump=tokens
  bool uses_headers = false;  // a script includes C headers
  TypeTable names;            // types that the parser looked up; the Host refers to them
};

// Reads scripts and libraries, then parses and checks everything. Pragmas change `options`. A mistake in the D program
// goes to `diagnostics`; only unreadable files are errors here. target: $target, 0 if none. `progress` may be null; the
// caller clears it. `before`: the plan of the running program, see build_plan().
Result<> compile(Compilation& out, const CommandLine& command_line, OptionValues& options, Host& host, int target,
                 Progress* progress = nullptr, const CompiledPlan* before = nullptr);

}  // namespace dscope
