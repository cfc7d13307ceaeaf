/* One lookup of the thread's storage serves a whole clause. The first store creates it (last argument 1). */
rawtp:sched::sched_switch { self->ts = timestamp; self->calls++; }
/* CHECK: inttoptr (i64 5 to ptr)() */
/* CHECK: inttoptr (i64 158 to ptr)() */
/* CHECK: inttoptr (i64 156 to ptr)(ptr @ds_task */
/* CHECK: ptr null, i64 1) */
/* CHECK: label %dropped */
