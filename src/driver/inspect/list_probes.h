// -l: the probes of a machine, or of a recording.
#pragma once

#include "catalog/option_values.h"
#include "contract/host.h"
#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"
#include "runtime/format/fd_stream.h"
#include "support/result.h"

namespace dscope {

// Lists every probe of `host`, or those that the clauses of the compiled programs describe. Prints to `out`, messages
// to stderr. Returns the exit status.
Result<int> list_probes(const CommandLine& command_line, const OptionValues& options, const Compilation& compilation,
                        Host& host, FdStream& out);

}  // namespace dscope
