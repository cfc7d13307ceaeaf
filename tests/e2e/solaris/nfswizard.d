/* Files of NFS servers, of which there are none here. Files of disks do not count.
 @@options: -x compat=solaris
 @@command: dd if=/dev/null of=/dev/null status=none */
#pragma D option quiet

io:nfs::start { start[args[0]->b_addr] = timestamp; @file[args[2]->fi_pathname] = sum(args[0]->b_bcount); }
io:nfs::done
/start[args[0]->b_addr]/
{
	@time = quantize(timestamp - start[args[0]->b_addr]);
	start[args[0]->b_addr] = 0;
}
END { printf("no more\n"); }
