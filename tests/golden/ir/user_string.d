/* copyinstr: the record's own memory cleared, then the kernel's copy into it; a bad address faults with it as value. */
syscall::openat:entry { trace(copyinstr(arg1)); }
/* CHECK: inttoptr (i64 175 to ptr)(ptr */
/* CHECK: i64 104 */
/* CHECK: @llvm.memset */
/* CHECK: inttoptr (i64 114 to ptr)(ptr */
/* CHECK: i32 257 */
/* CHECK: call void @ds_report_fault( */
/* NEVER: @llvm.memcpy */
