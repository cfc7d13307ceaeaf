/* Arguments and names are strings, although they are character arrays.
 @@options: -x compat=solaris
 @@command: %T/calls getppid 1 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	trace(curpsinfo->pr_fname);
	trace(curpsinfo->pr_psargs[0] == '/');
	printf("%S\n", curpsinfo->pr_fname);
}
