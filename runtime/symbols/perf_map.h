// Perf maps: the names a compiler at run time (a JVM, node, Python) writes to /tmp/perf-<pid>.map for its code.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>

#include "runtime/elf/symbol_table.h"

namespace dscope {

// The map of a process, in its own /tmp and by its own number for itself; of one that has ended, in ours. Empty if
// there is none, or if neither root nor `owner`, that of the process, wrote it.
SymbolTable read_perf_map(uint32_t tgid, uid_t owner);

// "START SIZE name" in hexadecimal with or without 0x, one symbol per line; other lines are skipped.
SymbolTable parse_perf_map(std::string_view text);

}  // namespace dscope
