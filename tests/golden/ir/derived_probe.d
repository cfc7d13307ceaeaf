/* The condition of the derivation precedes the clause's predicate. */
proc:::create
/args[0]->pid > 100/
{
	trace(arg0);
}
/* CHECK: icmp eq i64 */
/* CHECK: label %body, label %next_clause */
/* CHECK: icmp sgt i64 */
