/* A struct that is only declared has no size. */
struct later;
BEGIN
{
	print((struct later *)alloca(8));
}
