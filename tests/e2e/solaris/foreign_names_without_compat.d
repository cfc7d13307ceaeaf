/* Plain types and values of Solaris need no compat=solaris. */
#pragma D option quiet

hrtime_t start;
self boolean_t is_done;

BEGIN {
	start = (hrtime_t)5;
	self->is_done = B_TRUE;
	printf("%d %d %d %d\n", (int)start, self->is_done == B_TRUE, B_FALSE, (int)((offset_t)1 + (minor_t)2 + (major_t)3));
	printf("%d %d %d\n", sizeof(hrtime_t), sizeof(diskaddr_t), sizeof(major_t));
	exit(0);
}
