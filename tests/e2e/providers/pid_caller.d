/* The caller at the first and at the last instruction, where the frame pointer is not set up; the stack depth.
 @@command: %T/exits */
#pragma D option quiet

pid$target:a.out:call_all:entry { self->depth = ustackdepth; }
pid$target:a.out:two_returns:entry, pid$target:a.out:two_returns:return, pid$target:a.out:marked:entry,
pid$target:a.out:marked:return /arg0 != 1/
{
	printf("%s depth %d", probename, ustackdepth - self->depth);
	ufunc(ucaller);
	ustack(2);
}
