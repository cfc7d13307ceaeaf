// Unwinding of user stacks: a part of the BPF support library (support.h).
#pragma once

#include "contract/stacks/unwind_format.h"
#include "support.h"

// Unwinds the user stack of the running process by tables. Writes at most `frames` (a constant) addresses, the
// instruction pointer first, and returns their size in bytes; 0 if the process has no tables. Loops.
DS_NOINLINE i64 ds_unwind(u64* to, u64 frames, struct ds_unwind_walk* walk);

// The return address that a uretprobe has replaced at `place` on the stack of the running thread; `code` if there is
// none.
DS_NOINLINE i64 ds_original_return(u64 code, u64 place, const struct ds_return_offsets* offsets);

// The number of the next copy of a stack; 0 if there is none.
DS_NOINLINE i64 ds_number_copy(void);
