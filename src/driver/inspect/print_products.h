// The runs that only print information about programs: -S, -v, -e and --dry-run. Each prints to `out` or stderr and
// returns the exit status.
#pragma once

#include <string>
#include <vector>

#include "contract/host.h"
#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"
#include "runtime/format/fd_stream.h"
#include "support/progress.h"
#include "support/result.h"

namespace dscope {

// --dry-run, --dump: prints the summary and the product of each phase that the command line names. With format=json the
// summary alone.
Result<int> print_dumps(const CommandLine& command_line, const OptionValues& options, const Compilation& compilation,
                        Host& host, FdStream& out);

// -S (option verbose): prints the BPF code of the clauses on stderr. Does nothing if the option is off.
Result<> print_code(const OptionValues& options, const Compilation& compilation, Progress& progress);

// -e: prints the stability reports of -v, if there are any.
Result<int> print_reports(const std::vector<std::string>& reports, FdStream& out);

}  // namespace dscope
