// Memory of the kernel for thread-local variables.
#pragma once

#include "runtime/load/bpf_map.h"

namespace dscope {

// Has the kernel get memory for the first elements on each CPU. It keeps some ready, but of large ones a single one at
// first (kernel/bpf/memalloc.c, prefill_mem_cache), and two may be wanted at once: a switch of threads is about two.
// `map`: of kind TaskStorage. What cannot be done is left to chance.
void prepare_task_storage(const BpfMap& map);

}  // namespace dscope
