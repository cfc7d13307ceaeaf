/* Each program first checks whether tracing is active: END only while draining, others only when armed. */
END { trace(1); }
tick-1 { trace(2); }
/* CHECK: define i32 @prog_0(ptr %0) section "prog/prog_0" */
/* CHECK: load volatile i32, ptr @ds_state */
/* CHECK: icmp ne i32 %1, 2 */
/* CHECK: label %done */
/* CHECK: define i32 @prog_1(ptr %0) section "prog/prog_1" */
/* CHECK: icmp ne i32 %1, 1 */
