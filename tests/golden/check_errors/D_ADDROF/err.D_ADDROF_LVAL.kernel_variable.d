/* As the D library does for variables whose addresses some kernels do not tell. */
inline int __kernel_counted = 3;

BEGIN
{
	trace(&`counted);
}
