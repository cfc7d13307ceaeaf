/* Probes that nothing on Linux fires still exist, and a message says so.
 @@options: -x compat=solaris
 @@command: %T/calls getppid 1 */
#pragma D option quiet

sysinfo:::ufsiget, sysinfo:::canch, vminfo:::pgrec, mib:::tcpListenDrop { @[probename] = sum(arg0); }
sched:::cpucaps-sleep { @caps[args[1]->pr_fname] = count(); }
syscall::doorfs:entry { @doors[arg0] = count(); }
END { printf("no more\n"); }
