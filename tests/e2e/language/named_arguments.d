/* Arguments by the names of the probe's signature.
 @@command: %T/calls getppid 2 */
#pragma D option quiet

sdt:sched::sched_process_exit /args->pid == $target/ { printf("%s %d\n", args.comm, args.pid == args[1]); }
