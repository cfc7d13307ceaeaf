/* The cookie distinguishes the probes of one program. The verifier must know its bounds. */
rawtp:sched::sched_process_* { trace(probename); }
/* CHECK: inttoptr (i64 174 to ptr)(ptr %0) */
/* CHECK: icmp uge i32 */
/* CHECK: , 3 */
/* CHECK: label %done */
