// Unwinding of user stacks: a part of the BPF support library (support.h).
#pragma once

#include "contract/stacks/unwind_format.h"
#include "support.h"

// Unwinds the user stack of the running process by tables. Writes at most `frames` (a constant) addresses, the
// instruction pointer first, and returns their size in bytes; 0 if the process has no tables. Loops.
DS_NOINLINE i64 ds_unwind(u64* to, u64 frames, struct ds_unwind_walk* walk);
