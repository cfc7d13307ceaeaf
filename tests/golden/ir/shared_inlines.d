/* What an inline reads is read once, and once more after an assignment; in a branch, only there. */
inline int __uses[struct task_struct *t] = t->real_parent->tgid + t->real_parent->tgid;

BEGIN
{
	trace(__uses[curthread]);
	trace(__uses[curthread]);
	this->x = $pid == 0 ? 1 : 2;
	trace(__uses[curthread]);
}
/* The definition can fault at four places, and is emitted twice. */
/* CHECK: @ds_report_fault(i64 7, */
/* NEVER: @ds_report_fault(i64 8, */
