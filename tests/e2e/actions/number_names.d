/* %s prints errors, signals and open flags by their names, in keys of aggregations too; %d prints the numbers.
 * @@command: sh -c 'test -e /no/such/file; : > /dev/null; kill -URG $$' */
#pragma D option quiet

inline int error = errno;

syscall:::return
/pid == $target && errno == ENOENT && !seen++/
{
	@errors[errno, errno + 0] = count();
	printf("%s %-8s| %d\n", errno, error, errno);
}

syscall::openat:entry
/pid == $target && (args->flags & O_CREAT)/
{
	printf("%s\n", args[2]);
}

syscall::kill:entry
/pid == $target/
{
	printf("%s %d\n", args->sig, args[1]);
}

END { printa("%s %d %@d\n", @errors); }
