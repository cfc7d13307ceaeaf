BEGIN { trace(sizeof(struct task_strukt)); }
