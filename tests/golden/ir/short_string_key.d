/* A path is first read into 64 bytes. If it fits, the element is in the map with short keys. */
syscall::openat:entry { @[copyinstr(arg1)] = count(); }
/* CHECK: inttoptr (i64 114 to ptr)(ptr */
/* CHECK: i32 64 */
/* CHECK: inttoptr (i64 114 to ptr)(ptr */
/* CHECK: i32 257 */
/* CHECK: ptr @ds_agg_0s */
/* CHECK: ptr @ds_agg_0, */
