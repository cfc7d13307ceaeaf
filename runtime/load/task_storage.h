// Kernel memory for thread-local variables.
#pragma once

#include "runtime/load/bpf_map.h"

namespace dscope {

// Fills the kernel's cache of elements on each CPU. For large elements the cache initially holds only one
// (kernel/bpf/memalloc.c, prefill_mem_cache), but a thread switch may need two at once. `map` is of kind TaskStorage.
// Errors are ignored: the first allocations may then fail.
void prefill_task_storage(const BpfMap& map);

}  // namespace dscope
