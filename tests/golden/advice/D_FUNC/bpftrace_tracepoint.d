tracepoint:syscalls:sys_enter_openat { printf("%s\n", str(args->filename)); }
