/* %s of a char pointer into the memory of the process copies the string from there. */
syscall::openat:entry { printf("%s", args->filename); }
/* CHECK: inttoptr (i64 114 to ptr)(ptr */
/* CHECK: i32 257 */
/* CHECK: call void @ds_report_fault( */
