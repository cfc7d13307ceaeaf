/* Members reached from curthread are loaded directly, after a NULL check. */
rawtp:sched::sched_switch { trace(curthread->parent->pid); }
/* CHECK: inttoptr (i64 158 to ptr)() */
/* CHECK: label %fault */
/* CHECK: i64 152 */
/* CHECK: load ptr, ptr */
/* CHECK: i64 136 */
/* CHECK: load i32, ptr */
/* NEVER: inttoptr (i64 113 to ptr) */
