/* A path that lies on two pages, neither of which the child has touched; as text and as bytes.
 @@command: %T/newborn open */
#pragma D option quiet

syscall:::entry
/ppid == $target && probefunc == "openat"/
{
	printf("%s %s %d %d\n", copyinstr(arg1), stringof(copyin(arg1, 10)), *(userland int *)(arg1 + 3) == 0x756e2f76,
	    copyinstr(arg1, 7) == "/dev/n");
}
