pid_t int x;
BEGIN { }
