/* An object is read from kernel memory, else from user memory. Only print() faults if both fail. */
BEGIN
{
	print(curthread->parent);
	tracemem(curthread->mm, 24);
}
/* CHECK: inttoptr (i64 113 to ptr)(ptr */
/* CHECK: other_space: */
/* CHECK: inttoptr (i64 112 to ptr)(ptr */
/* CHECK: fault */
