/* print(args): all arguments by name, zeros too, flags and signals by name; text in the records of tracepoints.
 * @@command: sh -c 'kill -URG 0' */
#pragma D option quiet

syscall::kill:entry
/pid == $target && !n++/
{
	print(args);
}

proc:::signal-send
/pid == $target && args[2] == SIGURG && !sent++/
{
	printf("%s\n", args[2]);
}

sdt:sched::sched_process_exit
/pid == $target/
{
	this->comm = args->comm;
	print(this->comm);
}
