/* Updates of variables that all CPUs share, made by two threads with a million calls each. */
int up;
int64_t down;
short narrow;
unsigned char tiny;
uint64_t total, bits, cleared, toggled;
int64_t next, other;
int32_t next_of_32_bits;
int down_of[int];
int64_t sum_of[int];
int bits_of[int];

BEGIN {
	cleared = -1;
}

syscall::getppid:entry
/pid == $target/
{
	up++;
	--down;
	other += 1;
	narrow++;
	tiny++;
	total += arg0;
	bits |= 1 << (arg0 & 7);
	cleared &= ~(1 << (arg0 & 3));
	toggled ^= arg0;
	@values = sum(next++);
	@values_of_32_bits = sum(++next_of_32_bits - 1);
	up_of[execname, arg0 & 0]++;
	down_of[7]--;
	sum_of[7] += 3;
	bits_of[7] |= 1 << (arg0 & 1);
	@values_of_elements = sum(next_of[execname]++);
}

END {
	printf("steps %d %d %d\n", up, down, other);
	printf("narrow %d %d\n", (unsigned short)narrow, tiny);
	printf("operators %d %x %x %d\n", total, bits, cleared, toggled);
	printa("values %@d", @values);
	printa(" %@d\n", @values_of_32_bits);
	printf("elements %d %d %d %d\n", up_of["flood", 0], down_of[7], sum_of[7], bits_of[7]);
	printa("values of elements %@d\n", @values_of_elements);
}
