/* %s prints arguments of system calls by the names that C programs use.
 @@command: sh -c '/bin/true; exit 0' */
#pragma D option quiet

syscall::mmap:entry /ppid == $target && (int)args->fd == -1 && !anonymous++/ { printf("%s %s\n", args->prot, args->flags); }
syscall::mmap:entry /ppid == $target && args->prot == 5 && !code++/ { printf("%s %s\n", args->prot, args->flags); }
syscall::mprotect:entry /ppid == $target && args->prot == 1 && !fixed++/ { printf("%s\n", args->prot); }
syscall::openat:entry /ppid == $target && !opened++/ { printf("%d %s\n", args->dfd, args->flags); }
syscall::exit_group:entry /ppid == $target/ { printf("%d\n", arg0); }
