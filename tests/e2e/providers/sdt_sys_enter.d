/* The tracepoint sys_enter by its record: the id and the array of arguments.
 @@command: %T/calls text some-text 3 */
#pragma D option quiet

sdt:raw_syscalls::sys_enter /pid == $target && args[0] == 1 && args[1][2] == 9/ { @[copyinstr(args[1][1])] = count(); }
