/* A speculating clause reserves its record after it knows that the speculation is active, and ends if the record grows too large. */
BEGIN { self->id = speculation(); }
syscall::read:entry { speculate(self->id); trace(arg0); }
syscall::read:return { commit(self->id); discard(self->id); }
/* CHECK: @ds_allocate_speculation(ptr @ds_speculations, i64 1) */
/* CHECK: label %refused */
/* CHECK: ptr)(ptr @ds_ring, i64 24, i64 0) */
/* CHECK: ptr @ds_speculations, i64 */
/* CHECK: label %full, label %fits */
/* CHECK: atomicrmw add */
/* CHECK: cmpxchg ptr */
/* CHECK: i64 2, i64 3 */
/* CHECK: ptr)(ptr @ds_ring, i64 16, i64 0) */
/* CHECK: cmpxchg ptr */
