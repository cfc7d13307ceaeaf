/* With few system calls, one switch selects the row, another the clauses. */
syscall::read:entry { trace(1); }
syscall::write:entry { trace(2); }
/* CHECK: switch i64 */
/* CHECK: i64 0, label %call */
/* CHECK: i64 1, label %call1 */
/* CHECK: phi i32 [ 0, %call ], [ 1, %call1 ] */
/* CHECK: switch i32 */
/* CHECK: list: */
/* CHECK: list2: */
