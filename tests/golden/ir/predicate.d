/* The predicate is evaluated before a record is reserved. */
syscall::read:entry /pid == 3/ { trace(1); }
/* CHECK: inttoptr (i64 14 to ptr)() */
/* CHECK: icmp eq i64 */
/* CHECK: label %body, label %next_clause */
/* CHECK: body: */
/* CHECK: call ptr inttoptr (i64 131 to ptr)(ptr @ds_ring, i64 24, i64 0) */
