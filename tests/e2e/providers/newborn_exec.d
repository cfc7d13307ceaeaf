/* What a child executes is named in memory that it has not looked at yet.
 @@command: %T/newborn exec 100 */
#pragma D option quiet

syscall::execve:entry /progenyof($target)/ { @[copyinstr(arg0)] = count(); }
proc:::exec /progenyof($target)/ { @[args[0]] = count(); }
