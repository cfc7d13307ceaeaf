/* ERROR clauses are one function. Every fault calls it with the fault's facts. It needs no scratch slot here. */
int x;
BEGIN { trace(1 / x); }
ERROR { trace(arg4); }
/* CHECK: call void @ds_report_fault( */
/* CHECK: call void @ds_error_0(ptr %0, ptr null */
/* CHECK: define internal void @ds_error_0(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4) */
/* CHECK: @probe_ids */
/* CHECK: lshr i64 %3, 32 */
/* NEVER: ds_scratch */
