/* Processes are told from threads.
 @@command: %T/calls fork 4 */
#pragma D option quiet

sysinfo:::sysfork, sysinfo:::nthreads, sysinfo:::sysvfork /pid == $target/ { @[probename] = sum(args[0]); }
