struct nosuchmod`task_struct *p;
BEGIN { exit(0); }
