// Perf maps: the files /tmp/perf-<pid>.map in which a just-in-time compiler (a JVM, node, Python) names its code.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "runtime/elf/symbol_table.h"

namespace dscope {

// The symbols of the process's perf map, by address in the process. The map of a live process lies in the /tmp of its
// own mount namespace under its pid in its own pid namespace; the map of an exited process is looked for in our /tmp
// under `tgid`. Lines are "START SIZE name", with START and SIZE in hexadecimal, with or without 0x; other lines are
// skipped. Empty if there is no such file, if it exceeds its budget (runtime/elf/file_budget.h), or if neither root nor
// `owner`, the user that the process runs as, wrote it.
SymbolTable read_perf_map(uint32_t tgid, uid_t owner);

}  // namespace dscope
