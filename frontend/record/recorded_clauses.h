// Makes the D program of a recording: each clause without actions is replaced by clauses that trace what D could ask
// for at its probes. `syscall:::` becomes one clause per number of arguments and per place of strings.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "contract/host.h"
#include "contract/program_plan.h"
#include "frontend/record/record_plan.h"
#include "frontend/syntax/ast.h"

namespace dscope {

// Removes the clauses without actions from the units and adds their probes to the groups of `plan`. Probes that clauses
// match twice are recorded once, if one of the predicates holds. A clause that matches nothing stays, for the checker
// to report. `types`: receives the types of arguments. `add_libraries` parses the D libraries that define these words
// into `program`.
void find_recorded_clauses(Program& program, std::span<const UnitId> units, Host& host, TypeTable& types,
                           const Dialect& dialect,
                           const std::function<void(const std::vector<std::string>&)>& add_libraries, RecordPlan& plan);

// Adds the recorded probes to the numbers of matched probes in the notices. `plans` is parallel to `units`.
void add_recorded_probes(const RecordPlan& plan, std::span<const UnitId> units, std::span<UnitPlan> plans);

// Clauses without predicates precede the user's: a clause that calls exit() ends the run, and later clauses of its
// event do not run. Predicates may depend on what the user's clauses assign.
enum class RecordingPart : uint8_t { Unconditional, Conditional };

// The D text of the clauses of the groups of this part; empty if there are none.
std::string recording_text(const RecordPlan& plan, RecordingPart part);

}  // namespace dscope
