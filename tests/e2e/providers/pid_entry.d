/* Arguments in registers and on the stack, and a string of the process.
 @@command: %T/functions 2 */
#pragma D option quiet

pid$target:a.out:add_eight:entry
{
	printf("%d %d %d %d %d %d %d %d %s\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, copyinstr(arg8));
}
