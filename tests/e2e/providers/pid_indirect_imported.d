/* A function that was chosen for the CPU, but not for the library itself: probed is what the program calls, by process
   and by file.
 @@command: %T/imports */
#pragma D option quiet

pid$target:libc.so.6:strstr:entry { @["of the process", copyinstr(arg1)] = count(); }
uprobe:libc.so.6:strstr:entry /pid == $target/ { @["of the file", copyinstr(arg1)] = count(); }
END { printa("%s %s %@d\n", @); }
