/* An object is read as kernel memory, else as the process's; only print() faults if it is neither. */
BEGIN
{
	print(curthread->parent);
	tracemem(curthread->mm, 24);
}
/* CHECK: inttoptr (i64 113 to ptr)(ptr */
/* CHECK: other_space: */
/* CHECK: inttoptr (i64 112 to ptr)(ptr */
/* CHECK: fault */
