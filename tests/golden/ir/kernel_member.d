/* Tracepoint arguments may point anywhere, so their members are copied with a check. */
rawtp:sched::sched_switch { trace(args[1]->pid); }
/* CHECK: getelementptr inbounds i8, ptr %0, i64 8 */
/* CHECK: add i64 */
/* CHECK: , 136 */
/* CHECK: inttoptr (i64 113 to ptr)(ptr %read, i32 4, i64 */
/* CHECK: label %fault */
/* CHECK: inttoptr (i64 133 to ptr) */
