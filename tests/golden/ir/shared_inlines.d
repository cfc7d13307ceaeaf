/* A value that an inline reads is loaded once, and again after an assignment. A load in a branch is valid only there. */
inline int __uses[struct task_struct *t] = t->real_parent->tgid + t->real_parent->tgid;

BEGIN
{
	trace(__uses[curthread]);
	trace(__uses[curthread]);
	this->x = $pid == 0 ? 1 : 2;
	trace(__uses[curthread]);
}
/* The definition has four points that can fault, and is emitted twice. */
/* CHECK: @ds_report_fault(i64 7, */
/* NEVER: @ds_report_fault(i64 8, */
