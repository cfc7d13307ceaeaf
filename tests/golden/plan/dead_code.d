/* Code that a constant 0 disables leaves nothing behind: no map, no format, no record space, no program. */
inline int OPT = 0;
int unused;
BEGIN
{
	OPT ? @by_name[execname] = count() : 1;
	OPT ? printf("%s", execname) : 1;
	if (OPT) {
		self->x = 1;
		seen[1] = 2;
		@by_stack[stack(5)] = min(1);
		printf("%d", 3);
	} else
		trace(1);
	x = OPT ? 1 : 2;
}
syscall::read:entry /OPT/ { @by_name2[execname] = count(); trace(execname); calls["a"] = 3; }
END /!OPT/ { if (!OPT) printa("%k %@d\n", @by_stack); clear(@by_stack); trunc(@by_name2, 5); x = 3; }
