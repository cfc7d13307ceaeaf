/* What the kernel counts, with the amount in arg0.
 @@command: %T/calls write 10 */
#pragma D option quiet

sysinfo:::syswrite, sysinfo:::writech /pid == $target/ { @[probename] = sum(arg0); }
sysinfo:::sysexec /pid == $target/ { @[probename] = sum(args[0]); }
sysinfo:::pswitch { switches++; }
vminfo:::as_fault, vminfo:::prot_fault, vminfo:::cow_fault /pid == $target/ { @faults[probename] = max(1); }
END { printa("%s %@d\n", @); printa("%s %@d\n", @faults); printf("%d\n", switches > 0); }
