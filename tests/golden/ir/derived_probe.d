/* The condition that makes the probe comes before the clause's own. */
proc:::create
/args[0]->pid > 100/
{
	trace(arg0);
}
/* CHECK: icmp eq i64 */
/* CHECK: label %body, label %next_clause */
/* CHECK: icmp sgt i64 */
