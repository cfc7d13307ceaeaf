/* The path that a child executes is in memory that the child has not touched yet.
 @@command: %T/newborn exec 100 */
#pragma D option quiet

syscall::execve:entry /progenyof($target)/ { @[copyinstr(arg0)] = count(); }
proc:::exec /progenyof($target)/ { @[args[0]] = count(); }
