/* Character fields of a record are strings by name, in every use of strings. By number they are addresses.
 @@command: %T/calls exec /bin/true */
#pragma D option quiet

sdt:sched::sched_process_exec /args->pid == $target/
{
	printf("%s %d %d\n", basename(args->filename), args->filename[0] == '/', strlen(args->filename) > 4);
	@[args->filename == copyinstr((uintptr_t)curthread->mm->arg_start), stringof(args[0]) == args->filename] = count();
}

sdt:sched::sched_process_exit /args->pid == $target/
{
	this->same = args->comm == execname ? strjoin(args->comm, "!") : "other";
	printf("%s %d\n", this->same, args[0] != 0);
}
