/* A module can be a path.
 @@command: %T/calls write 3 */
#pragma D option quiet

pid$target:/lib/x86_64-linux-gnu/libc.so.6:write:entry /arg2 > 0/ { @[probemod, probefunc] = count(); }
END { printa("%s %s %@d\n", @); }
