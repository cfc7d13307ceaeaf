/* The arguments of a sleeping process.
 @@command: %T/newborn wait 15 alpha beta */
#pragma D option quiet

proc:::signal-send
/pid == $target && args[2] == 15/
{
	printf("%s %d %s %d\n", strstr(args[1]->pr_psargs, "newborn "), args[1]->pr_argc, args[1]->pr_fname,
	    args[1]->pr_envp == args[1]->pr_argv + 8 * (args[1]->pr_argc + 1));
}
