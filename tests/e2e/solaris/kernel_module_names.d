/* Module and function names of Solaris's kernel, in probe descriptions whose probes have none here.
 @@options: -x compat=solaris
 @@command: %T/calls fork 2 */
#pragma D option quiet

proc:genunix:cfork:create /pid == $target/ { @["create"] = count(); }
sysinfo:unix:swtch:pswitch, sched:unix::on-cpu { seen = 1; }
mib:tcp::, mib:udp:: { @["mib"] = count(); }
END { trunc(@, 1); printf("%d\n", seen); }
