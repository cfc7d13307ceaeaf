/* Present: stored in place. Absent: inserted. Zero: deleted. */
BEGIN { a[pid] = 1; a[pid] = 0; }
/* CHECK: inttoptr (i64 1 to ptr)(ptr @ds_array_0, ptr %key) */
/* CHECK: label %absent, label %present */
/* CHECK: inttoptr (i64 2 to ptr)(ptr @ds_array_0, ptr %key */
/* CHECK: label %dropped */
/* CHECK: inttoptr (i64 3 to ptr)(ptr @ds_array_0, ptr %key) */
