/* A signed bit-field across two bytes (only the fake machine has one). */
rawtp:sched::sched_switch { trace(curthread->signed_bits); }
/* CHECK: inttoptr (i64 113 to ptr)(ptr %read, i32 2, i64 */
/* CHECK: shl i64 */
/* CHECK: , 59 */
/* CHECK: ashr i64 */
/* CHECK: , 59 */
