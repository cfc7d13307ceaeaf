/* %s prints arguments of system calls by the names that C programs use.
 @@command: %T/sockets udp 1 */
#pragma D option quiet

syscall::mmap:entry /pid == $target && (int)args->fd == -1 && !anonymous++/ { printf("%s %s\n", args->prot, args->flags); }
syscall::mmap:entry /pid == $target && args->prot == 5 && !code++/ { printf("%s %s\n", args->prot, args->flags); }
syscall::mprotect:entry /pid == $target && args->prot == 1 && !fixed++/ { printf("%s\n", args->prot); }
syscall::openat:entry /pid == $target && !opened++/ { printf("%d %s\n", args->dfd, args->flags); }
syscall::socket:entry /pid == $target && !sockets++/ { printf("%s %s\n", args->family, args->type); }
