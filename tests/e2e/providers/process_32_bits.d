/* Arguments and environment of a 32-bit program.
 @@command: %T/calls32 */
#pragma D option quiet

syscall:::entry /pid == $target/
{
	printf("%d %d %s %d\n", curpsinfo->pr_dmodel == PR_MODEL_ILP32, curpsinfo->pr_argc,
	    basename(copyinstr(*(uint32_t *)copyin(curpsinfo->pr_argv, 4))),
	    strchr(copyinstr(*(uint32_t *)copyin(curpsinfo->pr_envp, 4)), '=') != NULL);
	exit(0);
}
