/* Bit-fields: loads their bytes and shifts them down. */
rawtp:sched::sched_switch { trace(curthread->in_iowait); }
/* CHECK: inttoptr (i64 113 to ptr)(ptr %read, i32 1, i64 */
/* CHECK: shl i64 */
/* CHECK: , 63 */
/* CHECK: lshr i64 */
/* CHECK: , 63 */
