/* exit() stops later clauses and other programs at once, and wakes the consumer (flag 2). */
tick-1 { exit(3); }
tick-1 { trace(1); }
/* CHECK: next_clause: */
/* CHECK: load volatile i32, ptr @ds_state */
/* CHECK: label %leave */
/* CHECK: store i32 3, ptr */
/* CHECK: store volatile i32 2, ptr @ds_state */
/* CHECK: inttoptr (i64 132 to ptr)(ptr */
/* CHECK: i64 2) */
