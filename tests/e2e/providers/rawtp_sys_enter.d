/* The raw tracepoint of all system calls: the registers of the call.
 @@command: %T/calls getppid 6 */
#pragma D option quiet

rawtp:raw_syscalls::sys_enter /pid == $target && args[1] == 110/ { @n = count(); @ax[args[0]->orig_ax] = count(); }
rawtp:raw_syscalls::sys_exit /pid == $target && args[0]->orig_ax == 110/ { @r[args[1] == ppid] = count(); }
