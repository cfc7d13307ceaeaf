/* print(args): `const char *` as text, also NULL. Memory whose size follows is an address.
 * @@command: sh -c 'cd / && touch /dev/null && echo text > /dev/null' */
#pragma D option quiet

syscall::chdir:entry, syscall::utimensat:entry
/progenyof($target)/
{
	print(args);
}
syscall::write:entry
/progenyof($target) && args->count == 5/
{
	print(args);
}
