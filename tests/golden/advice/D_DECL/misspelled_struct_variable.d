struct task_strukt t;
BEGIN { }
