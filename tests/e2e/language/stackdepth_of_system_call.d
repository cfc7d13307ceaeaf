/* stackdepth counts the frames that stack() prints: those of the system call, without those of the tracer.
 @@command: true */
#pragma D option quiet

syscall::exit_group:entry
/pid == $target/
{
	printf("%s\n", stackdepth >= 2 && stackdepth < 6 ? "as printed" : "more");
	exit(0);
}
