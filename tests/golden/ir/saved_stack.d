/* The stack of a thread is saved before it gives up its CPU, for the time when it starts to run again. */
sched:::on-cpu
{
	@[ustack(8), ustackdepth] = count();
}
/* CHECK: call ptr inttoptr (i64 158 to ptr)() */
/* CHECK: (i64 156 to ptr)(ptr @ds_stacks, ptr */
/* CHECK: ptr null, i64 1) */
/* CHECK: (i64 67 to ptr)(ptr %0, ptr */
/* CHECK: i32 1016, i64 256) */
/* CHECK: (i64 156 to ptr)(ptr @ds_stacks, ptr */
/* CHECK: ptr null, i64 0) */
