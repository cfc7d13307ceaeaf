syscall:::entry { @[probefunc] = count(); }
syscall:::entry { @by_process[execname, probefunc, pid] = count(); }
syscall::read:return /arg0 > 0/ { @bytes[execname] = sum(arg0); }
syscall::read:entry { self->ts = timestamp; }
syscall::read:return /self->ts/
{
	@time[execname] = quantize(timestamp - self->ts);
	self->ts = 0;
}
syscall::openat:entry { printf("%d %s %s\n", pid, execname, copyinstr(arg1)); }
syscall::openat:entry { printf("%s", stringof(args[1])); @opened[stringof(args[1])] = count(); }
profile-997 { @k[stack()] = count(); @u[ustack(10), execname] = count(); }
tick-1 { printa("%-20s %@8d\n", @bytes); clear(@bytes); trunc(@time, 5); normalize(@time, 1000); denormalize(@time); }
BEGIN, END { }
END { printa(@bytes); printa("%s %@d\n", @bytes); exit(0); }
