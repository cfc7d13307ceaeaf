/* Typed pointers into the memory of the process: copyin() and its kin accept them, and %s copies the string. */
syscall::openat:entry { printf("%s %S", args->filename, args[1]); trace(copyinstr(args->filename)); }
syscall::openat:entry { trace(copyinstr(args[1], 8)); trace(*(char *)copyin(args->filename, 1)); }
