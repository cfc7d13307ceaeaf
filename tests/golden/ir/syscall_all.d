/* Many system calls: a table maps numbers to rows, 0 for calls without clauses. */
syscall:::entry { trace(1); }
syscall::read:entry { trace(2); }
/* CHECK: @rows = internal constant */
/* CHECK: @lists = internal constant */
/* CHECK: icmp uge i64 */
/* CHECK: , 512 */
/* CHECK: ptr @rows */
/* CHECK: label %skip */
/* CHECK: ptr @lists */
/* CHECK: switch i32 */
