proc:::exec-success
{
	trace(args[0]);
	trace(arg0);
}
/* CHECK: (i64 115 to ptr) */
/* CHECK: getelementptr inbounds i8, ptr %0, i64 16 */
