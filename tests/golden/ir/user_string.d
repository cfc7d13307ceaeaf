/* copyinstr: cleared memory of strsize, then the kernel's copy; a bad address faults with it as value. */
syscall::openat:entry { trace(copyinstr(arg1)); }
/* CHECK: inttoptr (i64 175 to ptr)(ptr */
/* CHECK: i64 104 */
/* CHECK: @llvm.memset */
/* CHECK: inttoptr (i64 114 to ptr)(ptr */
/* CHECK: i32 257 */
/* CHECK: call void @ds_report_fault( */
/* CHECK: @llvm.memcpy */
