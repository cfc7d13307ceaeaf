inline int pid = 1;
BEGIN { }
