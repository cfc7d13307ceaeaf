/* A read creates no storage: a thread without storage reads 0. */
self int ts;
rawtp:sched::sched_switch /self->ts/ { @ = count(); }
/* CHECK: inttoptr (i64 156 to ptr)(ptr @ds_task */
/* CHECK: ptr null, i64 0) */
/* NEVER: ptr null, i64 1) */
