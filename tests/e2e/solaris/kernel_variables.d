/* Variables of Solaris's kernel about the machine: consistent load averages, free memory within total memory.
 @@options: -x compat=solaris */
#pragma D option quiet

BEGIN {
	printf("%d %d\n", `hp_avenrun[0] >> 8 == `avenrun[0], `hp_avenrun[0] + `hp_avenrun[1] + `hp_avenrun[2] > 0);
	printf("%d\n", `freemem > 0 && `freemem < `physmem && `freemem < `physinstalled);
	exit(0);
}
