/* Counts and times of calls by Solaris's names: six threads, each created by lwp_create and waited for.
 @@options: -x compat=solaris
 @@command: %T/calls threads 6 */
#pragma D option quiet
int differ, created;

syscall:::entry /pid == $target/ { self->start = timestamp; self->name = probefunc; }
syscall:::return
/self->start/
{
	this->elapsed = timestamp - self->start;
	@number[probefunc] = count();
	@elapsed[probefunc] = sum(this->elapsed);
	differ += probefunc != self->name;
	created += probefunc == "lwp_create" && arg0 > 0;
	self->start = 0; self->name = 0;
}
END { printf("%d %d\n", created, differ); trunc(@number); trunc(@elapsed); }
