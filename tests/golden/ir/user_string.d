/* copyinstr() clears the record's own memory, then the kernel copies into it. A bad address faults with that address as value. */
syscall::openat:entry { trace(copyinstr(arg1)); }
/* CHECK: inttoptr (i64 175 to ptr)(ptr */
/* CHECK: i64 104 */
/* CHECK: @llvm.memset */
/* CHECK: inttoptr (i64 114 to ptr)(ptr */
/* CHECK: i32 257 */
/* CHECK: call void @ds_report_fault( */
/* NEVER: @llvm.memcpy */
