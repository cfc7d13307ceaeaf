/* An indirect function that the library itself does not call: the implementation that the program calls is probed, by process
   and by file.
 @@command: %T/imports */
#pragma D option quiet

pid$target:libc.so.6:strstr:entry { @["of the process", copyinstr(arg1)] = count(); }
uprobe:libc.so.6:strstr:entry /pid == $target/ { @["of the file", copyinstr(arg1)] = count(); }
END { printa("%s %s %@d\n", @); }
