/* A zero divisor faults, with code 4 above the row number. BPF has no signed division before -mcpu=v4. */
int x;
BEGIN { trace(10 / x); trace(10 % x); }
/* CHECK: icmp eq i64 */
/* CHECK: label %fault */
/* CHECK: call void @ds_report_fault(i64 0, i64 17179869184, i64 0) */
/* CHECK: udiv i64 10, */
/* CHECK: urem i64 10, */
/* NEVER: sdiv */
/* NEVER: srem */
