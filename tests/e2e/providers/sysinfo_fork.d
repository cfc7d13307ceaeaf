/* Processes and threads are distinguished. Pages are shared with the child until one of them writes.
 @@command: %T/calls fork 4 */
#pragma D option quiet

sysinfo:::sysfork, sysinfo:::nthreads, sysinfo:::sysvfork /pid == $target/ { @[probename] = sum(args[0]); }
vminfo:::as_fault, vminfo:::prot_fault, vminfo:::cow_fault /progenyof($target)/ { @faults[probename] = max(1); }
END { printa("%s %@d\n", @); printa("%s %@d\n", @faults); }
