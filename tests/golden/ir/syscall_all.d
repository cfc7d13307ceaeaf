/* Many calls: a table from number to row, 0 for calls that no clause is on. */
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
