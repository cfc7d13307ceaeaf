/* Memory that no process has ever touched cannot be read.
 @@command: %T/newborn missing */
#pragma D option quiet

syscall::openat:entry /ppid == $target/ { trace(copyinstr(arg1)); }
ERROR { printf("fault %d, address %d\n", arg4, arg5 != 0); }
