/* A line of vmstat: memory of the machine, faults of a process.
 @@options: -x compat=solaris
 @@command: %T/calls touch 300 */
#pragma D option quiet

long mf;

vminfo:::as_fault /pid == $target/ { @mf = sum(arg0); mf += arg0; }
vminfo:genunix::maj_fault, vminfo:::pgpgin, vminfo:::scan { @re = sum(arg0); }
dtrace:::END
{
	printf("%d %d %d\n", mf >= 300, `physmem > 1000, `_pagesize);
	printf("%d %d\n", `ncpus_online >= 1, `utsname.sysname == "Linux");
	clear(@mf); trunc(@mf); trunc(@re);
}
