sdt:syscalls::sys_enter_openat { trace(pid); }
