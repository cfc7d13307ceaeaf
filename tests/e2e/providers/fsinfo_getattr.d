/* Attributes of an open file, requested by a system call without a path.
 @@command: cat /dev/null */
#pragma D option quiet

fsinfo:::getattr /pid == $target && args[0]->fi_name == "null"/ { @[args[0]->fi_pathname, args[1]] = count(); }
