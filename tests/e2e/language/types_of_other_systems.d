/* Types that scripts of other systems use without headers. A script may define them itself. */
#pragma D option quiet

typedef short natural_t;

BEGIN
{
	printf("%d %d %d %d\n", sizeof (boolean_t), sizeof (user_addr_t), sizeof (in_addr_t), sizeof (in_port_t));
	printf("%d %d %d %d\n", sizeof (u_int8_t), sizeof (u_int16_t), sizeof (u_int32_t), sizeof (u_int64_t));
	printf("%d %d %d %d\n", sizeof (uchar_t), sizeof (ushort_t), sizeof (uint_t), sizeof (ulong_t));
	printf("%d %d %d\n", sizeof (mach_port_t), sizeof (mach_vm_size_t), sizeof (natural_t));
	this->port = (in_port_t)65537;
	this->is_true = (boolean_t)1;
	printf("%d %d %d\n", this->port, this->is_true, (int64_t)(u_int32_t)-1);
	exit(0);
}
