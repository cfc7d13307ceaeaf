/* Solaris's variables for the zone and the memory of the machine.
 @@options: -x compat=solaris
 @@command: %T/calls fork 1 */
#pragma D option quiet
int newest;

syscall::fork*:return /pid == $target && arg0 > 0/ { newest = `mpid >= arg0 && `mpid < arg0 + 1000; }
END
{
	printf("%s %s %d\n", zonename, curthread->t_procp->p_zone->zone_name, ipl);
	printf("%d %d %d\n", `availrmem > 0, `availrmem <= `physmem, `nproc > 1);
	printf("%d %d\n", 0 < `minfree && `minfree < `desfree && `desfree < `lotsfree, `needfree + `deficit);
	printf("%d %d\n", `k_anoninfo.ani_free <= `k_anoninfo.ani_max, newest);
}
