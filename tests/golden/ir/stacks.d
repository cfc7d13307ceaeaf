/* The kernel writes frames into the record itself, and clears the rest of the slot. */
#pragma D option ustackunwind=fp
profile-97 { stack(5); ustack(3); }
/* CHECK: inttoptr (i64 131 to ptr)(ptr @ds_ring, i64 152, i64 0) */
/* CHECK: inttoptr (i64 67 to ptr)(ptr %0, ptr */
/* CHECK: i32 104, i64 0) */
/* CHECK: inttoptr (i64 67 to ptr)(ptr %0, ptr */
/* CHECK: i64 256) */
