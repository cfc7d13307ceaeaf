// Names for the values of IR that is printed for readers.
#pragma once

#include "codegen/core/llvm_headers.h"

namespace dscope {

// Names the unnamed values of all functions after what they come from: "thread" for the result of
// bpf_get_current_task_btf(), "agg_0.element" for a look-up in map ds_agg_0, "thread.at_16" for an offset, "pid_2" for
// a conversion of "pid". Helpers must be called by name.
void name_values(llvm::Module& module);

}  // namespace dscope
