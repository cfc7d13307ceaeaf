rawtp:sched::sched_switch
{
	trace(pid); trace(tid); trace(ppid); trace(uid); trace(gid); trace(cpu); trace(timestamp); trace(walltimestamp);
	trace(id); trace(epid); trace(arg0); trace(errno); trace(caller); trace(ucaller); trace(stackdepth);
	trace(ustackdepth);
}
/* CHECK: inttoptr (i64 8 to ptr)() */
/* CHECK: inttoptr (i64 14 to ptr)() */
/* CHECK: inttoptr (i64 158 to ptr)() */
/* CHECK: inttoptr (i64 15 to ptr)() */
/* CHECK: inttoptr (i64 5 to ptr)() */
/* CHECK: (i8, ptr @ds_state, i64 8) */
/* CHECK: load i64, ptr %0 */
/* CHECK: inttoptr (i64 67 to ptr)( */
/* CHECK: @ds_confirmed_caller( */
