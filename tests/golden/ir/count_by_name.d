/* The words of execname are copied into the key. A missing element is created from zeros. A full table counts a drop. */
syscall::read:entry { @[execname] = count(); }
/* CHECK: i64 256 */
/* CHECK: store i64 */
/* CHECK: ptr %key, align 8 */
/* CHECK: store i64 */
/* NEVER: inttoptr (i64 16 to ptr)( */
/* CHECK: inttoptr (i64 1 to ptr)(ptr @ds_agg_0, ptr %key) */
/* CHECK: label %absent, label %update */
/* CHECK: inttoptr (i64 2 to ptr)(ptr @ds_agg_0, ptr %key, ptr @empty, i64 0) */
/* CHECK: label %dropped, label %update */
/* CHECK: update: */
/* CHECK: add i64 */
/* CHECK: inttoptr (i64 1 to ptr)(ptr @ds_counters, ptr %counter_key) */
