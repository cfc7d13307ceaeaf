/* As in the D library, for variables whose addresses some kernels hide. */
inline int __kernel_counted = 3;

BEGIN
{
	trace(&`counted);
}
