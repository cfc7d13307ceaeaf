typedef struct { int x; } out_t;
translator out_t < struct task_struct *T > { x = T->pid; };
BEGIN { trace(xlate <out_t *>(curthread).x); }
