// The notices on stderr before a run traces: the number of probes that each program matched, and the parts of the plan
// that will not work as written.
#pragma once

#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "driver/command_line/command_line.h"
#include "runtime/format/output_stream.h"

namespace dscope {

struct Notices {
  // For each program the number of descriptions that may match later; empty: none.
  std::vector<size_t> awaited;
  // For each program the report of -v; may be empty.
  std::vector<std::string> reports;
  // The parts of the programs that have no effect on this machine, without the program's name in front.
  std::vector<std::string> lines;
};

// Prints "script 'x.d' matched 3 probes" for each program, unless quiet, followed by the program's report on `out`.
// Then prints the parts of the plan and of the programs that have no effect.
void print_notices(const CommandLine& command_line, const ProgramPlan& plan, const Notices& notices, OutputStream& out);

}  // namespace dscope
