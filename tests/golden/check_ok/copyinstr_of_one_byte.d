/* golden: strsize=100 */
/* A verifier that knows that a loop has no iterations loses the loop's callback. */
syscall::open*:entry
/pid == 1/
{
	printf("%s\n", copyinstr(arg1 + 21, 1));
}
