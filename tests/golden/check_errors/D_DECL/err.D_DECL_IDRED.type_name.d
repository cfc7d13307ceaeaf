int pid_t;
BEGIN { }
