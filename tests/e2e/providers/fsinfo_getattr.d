/* What is asked of an open file, by a call that has no name to look at.
 @@command: cat /dev/null */
#pragma D option quiet

fsinfo:::getattr /pid == $target && args[0]->fi_name == "null"/ { @[args[0]->fi_pathname, args[1]] = count(); }
