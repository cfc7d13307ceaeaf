#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma D option strsize=64

inline int OPT_name = 1;
inline string NAME = "init";
inline int NANOS = 1000 * 1000;
inline int FILTER = OPT_name ? 1 : 0;

enum phase { STARTED = 1, DONE };
struct stats {
	uint64_t calls;
	uint64_t bytes;
	string last;
};

struct stats by_pid[pid_t];
self struct task_struct *task;
this int depth;
int totals[DONE + 2];
char *name;

BEGIN
{
	printf("%-8s %-16s %s\n", "PID", "COMM", "WHAT");
	start = timestamp;
	phase = STARTED;
}

syscall::read:entry, syscall::write:entry
/FILTER == 0 || (OPT_name == 1 && NAME == execname)/
{
	self->task = curthread;
	self->fd = (int)arg0;
	this->depth = curthread->parent ? curthread->parent->pid : 0;
	totals[STARTED]++;
	by_pid[pid].calls += 1;
	by_pid[pid].last = probefunc;
}

syscall::read:return, syscall::write:return
/self->task && arg1 > 0/
{
	by_pid[pid].bytes += arg1;
	@size[probefunc, self->fd < 3 ? "tty" : "file"] = lquantize(arg1, 0, 4096, 128);
	@log = llquantize(arg1, 10, 0, 6, 20);
	OPT_name ? printf("%-8d %-16s %s\n", pid, execname, self->task->comm) : 1;
	self->task = 0;
	self->fd = 0;
}

rawtp:::sched_switch
{
	if (args[1]->pid != 0 && args[2]->prio < 100) {
		@switches[stringof(args[1]->comm), args[2]->pid] = count();
	} else if (args[0]) {
		@preempted = avg(args[1]->utime);
	} else
		@other = stddev(args[1]->static_prio);
}

sdt:::sched_switch
/args[0] != NULL && args[1] != args[5]/
{
	@[stringof(args[0])] = min(args[2]);
}

END
{
	phase = DONE;
	printf("%Y %d ms\n", walltimestamp, (timestamp - start) / NANOS);
	printa(@size);
}
