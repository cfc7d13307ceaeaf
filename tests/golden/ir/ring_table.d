/* With several rings, the program finds the ring of its CPU in a table, and the time precedes each record. */
#pragma D option ringcpus=4
BEGIN { self->id = speculation(); }
syscall::read:entry { speculate(self->id); trace(arg0); }
syscall::read:return { commit(self->id); }
syscall::write:entry { trace(100 / arg1); }
/* CHECK: %ring_key = alloca */
/* CHECK: label %refused */
/* CHECK: lshr i64 */
/* CHECK: , 2 */
/* CHECK: ptr @ds_ring, ptr %ring_key) */
/* CHECK: label %lost */
/* CHECK: %space = call ptr inttoptr (i64 131 to ptr)(ptr %ring, i64 32, i64 0) */
/* CHECK: i64 5 to ptr */
/* CHECK: %record = getelementptr inbounds i8, ptr %space, i64 8 */
/* CHECK: inttoptr (i64 132 to ptr)(ptr %space, i64 1) */
/* CHECK: inttoptr (i64 133 to ptr)(ptr %space */
