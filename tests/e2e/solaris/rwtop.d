/* Bytes read and written by command, from the old statistics.
 @@options: -x compat=solaris
 @@command: %T/calls write 20 */
#pragma D option quiet

sysinfo:unix::readch, sysinfo:genunix::writech /pid == $target/ { @bytes[probename == "readch" ? "R" : "W", execname] = sum(arg0); }
dtrace:::END { printa("%s %-10s %@d\n", @bytes); }
