/* Disk operations with their latency. There may be none.
 @@options: -x compat=solaris
 @@command: %T/calls getppid 1 */
#pragma D option quiet

dtrace:::BEGIN { printf("%-5s %-6s %1s %9s %6s %s\n", "UID", "PID", "D", "BLOCK", "SIZE", "PATHNAME"); }
io:genunix::start { start[args[0]->b_edev, args[0]->b_blkno] = timestamp; }
io:genunix::done
/start[args[0]->b_edev, args[0]->b_blkno]/
{
	this->elapsed = timestamp - start[args[0]->b_edev, args[0]->b_blkno];
	@time[args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W"] = quantize(this->elapsed / 1000);
	start[args[0]->b_edev, args[0]->b_blkno] = 0;
}
dtrace:::END { trunc(@time); }
