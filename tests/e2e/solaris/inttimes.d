/* Drivers that handle interrupts, and their times. There may be none during this run.
 @@options: -x compat=solaris
 @@command: %T/calls spin 100 */
#pragma D option quiet

int unnamed, reserve;

BEGIN { reserve = `swapfs_minfree + `nswapped + `availrmem - `availrmem > `physmem; reserve += `pages_locked > `physmem; }
sdt:::interrupt-start { self->ts = vtimestamp; }
sdt:::interrupt-complete
/self->ts && arg0 != 0/
{
	this->devi = (struct dev_info *)arg0;
	self->name = this->devi != 0 ? stringof(`devnamesp[this->devi->devi_major].dn_name) : "?";
	this->instance = this->devi != 0 ? this->devi->devi_instance : 0;
	unnamed += self->name == "" || this->instance != arg1;
	@num[self->name, this->instance] = sum(vtimestamp - self->ts);
	self->name = 0;
	self->ts = 0;
}
END { trunc(@num); printf("%d %d\n", unnamed, reserve); }
