/* The argument of an inline that calls a pure subroutine is computed once. */
inline struct task_struct *__chosen[struct task_struct *t] =
    ntohs(t->pid) == 80 && ntohs(t->tgid) > 1024 ? t->real_parent : t;
inline int __sum[struct task_struct *t] = t->pid + t->tgid;

BEGIN
{
	trace(__sum[__chosen[curthread]]);
	trace(__sum[__chosen[curthread]]);
}
/* Eight points can fault, and each is emitted once. */
/* CHECK: @ds_report_fault(i64 7, */
/* NEVER: @ds_report_fault(i64 8, */
