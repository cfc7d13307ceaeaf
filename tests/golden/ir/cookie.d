/* Probes of one program are told apart by the cookie, which the verifier must see bounded. */
rawtp:sched::sched_process_* { trace(probename); }
/* CHECK: inttoptr (i64 174 to ptr)(ptr %0) */
/* CHECK: icmp uge i32 */
/* CHECK: , 3 */
/* CHECK: label %done */
