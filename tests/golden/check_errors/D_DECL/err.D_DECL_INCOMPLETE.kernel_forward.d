struct pid_namespace x;
BEGIN { exit(0); }
