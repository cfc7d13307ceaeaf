BEGIN { trace(((struct task_strukt *)arg0)->pid); }
