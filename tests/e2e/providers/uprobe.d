/* Functions of a file in every process that maps it.
 @@command: %T/functions 3 */
#pragma D option quiet

uprobe:libc.so.6:getppid:entry /pid == $target/ { @[probeprov, probefunc, probename] = count(); }
END { printa("%s %s %s %@d\n", @); }
