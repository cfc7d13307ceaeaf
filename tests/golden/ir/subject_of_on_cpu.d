/* The thread that starts to run is an argument of the tracepoint. */
sched:::on-cpu
/execname == "bash"/
{
	self->since = timestamp;
	trace(pid);
}
/* CHECK: load ptr, ptr */
/* CHECK: (i64 113 to ptr)(ptr %execname, i32 16 */
/* CHECK: (i64 156 to ptr)(ptr @ds_task */
