/* The kernel's counters, with the increment in arg0.
 @@command: %T/calls write 10 */
#pragma D option quiet

sysinfo:::syswrite, sysinfo:::writech /pid == $target/ { @[probename] = sum(arg0); }
sysinfo:::sysexec /pid == $target/ { @[probename] = sum(args[0]); }
sysinfo:::pswitch { switches++; }
END { printa("%s %@d\n", @); printf("%d\n", switches > 0); }
