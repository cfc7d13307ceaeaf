/* A struct that is only named has no size. */
struct later;
BEGIN
{
	print((struct later *)alloca(8));
}
