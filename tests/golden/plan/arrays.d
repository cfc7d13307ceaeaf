/* Associative arrays: key layouts, also with a leading thread key. Capacity from dynvarsize. */
#pragma D option dynvarsize=64k
int by_name[string, int];
BEGIN
{
	by_name["abc", 3] = 1;
	plain[pid] = timestamp;
	texts[execname] = "value";
}
rawtp:sched::sched_wakeup { self->seen[arg0] = 1; }
